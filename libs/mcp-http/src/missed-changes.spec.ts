import { memoryStorage } from './memory-storage.js';
import { bodyReader } from './received.testing.js';
import { around, openSession, rpc, startEndpoint, type TestEndpoint } from './testing.js';

/** More than the storage operations while a stream opens. */
const MOMENTS = 7;
const URIS = ['a:1', 'a:2', 'a:end'];
const [FIRST = '', SECOND = '', LAST = ''] = URIS;

/** Who records a change: this process, which sends it at once, or another one, of which this one is notified later. */
const RECORDERS = ['this process', 'another process'] as const;

describe('changes that are recorded while a stream opens', () => {
  let server: TestEndpoint;
  const plain = memoryStorage();
  let moment = Infinity;
  let plan = new Map<number, (() => Promise<unknown>)[]>();

  /** Runs the action planned for this step. Storage operations of the action are not counted as steps. */
  async function passMoment(): Promise<void> {
    const now = moment;
    moment = Infinity;
    for (const record of plan.get(now) ?? []) await record();
    plan.delete(now);
    moment = now + 1;
  }

  beforeAll(async () => {
    const changes = around(plain.changes, async (_method, call) => {
      await passMoment();
      const result = await call();
      await passMoment();
      return result;
    });
    server = await startEndpoint({ storage: { ...plain, changes } });
  });
  afterAll(() => server.stop());

  async function record(uri: string, recorder: (typeof RECORDERS)[number]): Promise<void> {
    await plain.changes.append({ kind: 'resource_updated', uri });
    if (recorder === 'this process') await server.endpoint.follow();
  }

  /** Returns the URIs that a new stream is notified of while changes are recorded at these steps. */
  async function toldWhile(planned: typeof plan): Promise<string[]> {
    const session = await openSession(server);
    for (const uri of URIS) await (await server.post(rpc('resources/subscribe', { uri }), session)).text();
    [plan, moment] = [planned, 0];
    const stream = await fetch(server.url, { headers: session });
    const body = bodyReader(stream);
    await body.until('\n\n');
    moment = Infinity;
    for (const records of plan.values()) for (const late of records) await late();
    await server.endpoint.publish({ kind: 'resource_updated', uri: LAST });
    const text = await body.until(LAST);
    await body.cancel();
    return [...text.matchAll(/"uri":"([^"]*)"/g)].map(([, uri = '']) => uri);
  }

  const pairs = Array.from({ length: MOMENTS }, (_, first) =>
    Array.from({ length: MOMENTS - first }, (_, more) => [first, first + more] as const),
  ).flat();

  it.each(RECORDERS.flatMap((first) => RECORDERS.map((second) => [first, second] as const)))(
    'are told once each, and in order, whenever %s and then %s records one',
    async (recorderOfFirst, recorderOfSecond) => {
      for (const [first, second] of pairs) {
        const planned: typeof plan = new Map([[first, [() => record(FIRST, recorderOfFirst)]]]);
        planned.set(second, [...(planned.get(second) ?? []), () => record(SECOND, recorderOfSecond)]);
        expect([first, second, await toldWhile(planned)]).toEqual([first, second, URIS]);
      }
    },
  );

  it('are sent as changes of all subscriptions when the log no longer has them', async () => {
    const { changes } = plain;
    const works = { ...changes };
    changes.after = async () => null;
    try {
      const told = await toldWhile(new Map([[2, [() => record(FIRST, 'another process')]]]));
      expect(new Set(told)).toEqual(new Set(URIS));
    } finally {
      Object.assign(changes, works);
    }
  });
});

import { jest } from '@jest/globals';
import type { ChangeEvent } from './change.js';
import { openSession, rpc, startEndpoint, type TestEndpoint } from './testing.js';
import { inTurns } from './turns.js';

/** Makes each read of the clock take this long. */
function slowClock(ms: number): void {
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => (now += ms));
}

async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const turn = () => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isOver = true;
  return turns;
}

afterEach(() => jest.restoreAllMocks());

describe('inTurns', () => {
  it('does all in order, and lets others have their turn when it takes long', async () => {
    slowClock(1);
    const done: number[] = [];
    const items = Array.from({ length: 100 }, (_, index) => index);
    expect(await turnsDuring(() => inTurns(items, (item) => done.push(item)))).toBeGreaterThanOrEqual(8);
    expect(done).toEqual(items);
  });

  it('yields often although the work takes no time, because what it writes is sent when its turn has ended', async () => {
    slowClock(0);
    const items = Array.from({ length: 1_000 }, (_, index) => index);
    const done: number[] = [];
    expect(await turnsDuring(() => inTurns(items, (item) => done.push(item)))).toBeGreaterThanOrEqual(5);
    expect(done).toEqual(items);
  });

  it('runs short work at once', async () => {
    const done: number[] = [];
    slowClock(0);
    void inTurns([1, 2, 3], (item) => done.push(item));
    expect(done).toEqual([1, 2, 3]);
  });
});

describe('an endpoint with many streams', () => {
  const STREAMS = 30;
  let server: TestEndpoint;
  beforeEach(async () => (server = await startEndpoint()));
  afterEach(() => server.stop());

  const sessionStreams = () =>
    Promise.all(
      Array.from({ length: STREAMS }, async () =>
        fetch(server.url, { headers: await openSession(server, '2025-11-25') }),
      ),
    );
  const listenStreams = () => {
    const notifications = { toolsListChanged: true, resourceSubscriptions: ['a:1'] };
    const listen = () => server.postStateless(rpc('subscriptions/listen', { notifications }));
    return Promise.all(Array.from({ length: STREAMS }, listen));
  };

  const publish = (change: ChangeEvent) => server.endpoint.publish(change);

  it.each([
    ['sessions of a change', sessionStreams, { kind: 'tools_list_changed' }, 'tools/list_changed'],
    ['listeners of a change', listenStreams, { kind: 'tools_list_changed' }, 'tools/list_changed'],
    ['listeners of an update', listenStreams, { kind: 'resource_updated', uri: 'a:1' }, 'resources/updated'],
  ] as const)('yields to others while it notifies %s, and reaches all', async (_what, open, change, notification) => {
    const streams = await open();
    const texts = streams.map((stream) => stream.text());
    slowClock(6);
    expect(await turnsDuring(() => publish(change))).toBeGreaterThanOrEqual(STREAMS / 3);
    jest.restoreAllMocks();
    await server.endpoint.close();
    const told = (await Promise.all(texts)).map((text) => text.split(notification).length - 1);
    expect(told).toEqual(streams.map(() => 1));
  });

  it.each([
    ['sessions', sessionStreams, 'id: '],
    ['listeners', listenStreams, '"resultType":"complete"'],
  ] as const)('yields to others while it ends the streams of %s, and ends all', async (_what, open, last) => {
    const texts = (await open()).map((stream) => stream.text());
    slowClock(6);
    expect(await turnsDuring(() => server.endpoint.close())).toBeGreaterThanOrEqual(STREAMS / 3);
    jest.restoreAllMocks();
    for (const text of await Promise.all(texts)) expect(text).toContain(last);
    expect(server.endpoint.counts().streams).toBe(0);
  });

  it.each([
    ['sessions', sessionStreams],
    ['listeners', listenStreams],
  ])('yields to others while it looks what %s may watch no longer', async (_what, open) => {
    const streams = await open();
    slowClock(6);
    expect(await turnsDuring(() => server.endpoint.endForbidden())).toBeGreaterThanOrEqual(STREAMS / 3);
    jest.restoreAllMocks();
    expect(server.endpoint.counts().streams).toBe(STREAMS);
    for (const stream of streams) await stream.body?.cancel();
  });
});

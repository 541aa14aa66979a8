import { memoryStorage } from './memory-storage.js';
import { callOf, openSession, rpc, startEndpoint, type TestEndpoint, until } from './testing.js';

type Headers = Record<string, string>;

const TOOLS = { kind: 'tools_list_changed' } as const;
const OLDER_VERSIONS = ['2024-11-05', '2025-03-26', '2025-06-18'];

describe('changes that a client without a stream has missed', () => {
  let server: TestEndpoint;

  beforeEach(async () => void (server = await startEndpoint()));
  afterEach(() => server.stop());

  const open = (version = '2025-06-18', headers: Headers = {}) => openSession(server, version, { headers });
  /** Calls a tool. Returns the methods of the notifications and the number of answers, in order. */
  const call = async (session: Headers): Promise<unknown[]> => {
    const res = await server.post(callOf('echo'), session);
    const text = await res.text();
    if (res.headers.get('content-type') === 'application/json') return ['answer, in JSON'];
    return [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data = '']) => {
      const message = JSON.parse(data) as { method?: string; params?: { uri?: string } };
      return message.params?.uri ?? message.method ?? 'answer';
    });
  };
  const restart = async () => {
    await server.stop();
    server = await startEndpoint({ storage: server.storage });
  };

  it.each(OLDER_VERSIONS)(
    'are sent once to a client of %s, with its next response, after a restart, too',
    async (version) => {
      const session = await open(version);
      await server.endpoint.publish(TOOLS);
      await server.endpoint.publish(TOOLS);
      expect(await call(session)).toEqual(['notifications/tools/list_changed', 'answer']);
      expect(await call(session)).toEqual(['answer, in JSON']);
      await server.endpoint.publish(TOOLS);
      await restart();
      expect(await call(session)).toEqual(['notifications/tools/list_changed', 'answer']);
      await restart();
      expect(await call(session)).toEqual(['answer, in JSON']);
    },
  );

  it('are not sent with responses where clients resume streams for them, or accept no streams', async () => {
    const newer = await open('2025-11-25');
    const plain = await open('2025-06-18', { accept: 'application/json' });
    const silent = await open('2025-06-18', { accept: '*/*' });
    await server.endpoint.publish(TOOLS);
    await restart();
    for (const session of [newer, plain, silent]) expect(await call(session)).toEqual(['answer, in JSON']);
  });

  it('are sent only to those whom they concern', async () => {
    const session = await open();
    for (const uri of ['a:1', 'secret:1']) await server.post(rpc('resources/subscribe', { uri }), session);
    for (const uri of ['a:1', 'a:2', 'secret:1']) await server.endpoint.publish({ kind: 'resource_updated', uri });
    await server.endpoint.publish({ ...TOOLS, client: 'bob' }, { kind: 'task_changed', taskId: 'x' });
    await restart();
    expect(await call(session)).toEqual(['a:1', 'answer']);
  });

  it('are sent over the stream where there is one', async () => {
    const session = await open();
    const stream = await fetch(server.url, { headers: session });
    await server.endpoint.publish(TOOLS);
    expect(await call(session)).toEqual(['answer, in JSON']);
    await server.endpoint.endSession(session['mcp-session-id'] ?? '');
    expect((await stream.text()).match(/list_changed/g)).toHaveLength(1);
  });

  it('are recorded as delivered, and looked for only when there may be some', async () => {
    const storage = memoryStorage();
    const saved: number[] = [];
    let looks = 0;
    const claimChanges = async (...claim: Parameters<typeof sessions.claimChanges>) => {
      saved.push(claim[2].upTo);
      return sessions.claimChanges(...claim);
    };
    const latest = () => ((looks += 1), storage.changes.latest());
    const { sessions, changes } = storage;
    await server.stop();
    server = await startEndpoint({
      storage: { ...storage, sessions: { ...sessions, claimChanges }, changes: { ...changes, latest } },
    });
    const session = await open();
    await server.endpoint.publish(TOOLS);
    const before = looks;
    for (let count = 0; count < 3; count += 1) await call(session);
    expect(saved).toEqual([1]);
    expect(looks - before).toBe(1);
  });

  it('are not repeated over a stream that is opened later', async () => {
    const session = await open();
    await server.endpoint.publish(TOOLS);
    await call(session);
    const stream = await fetch(server.url, { headers: session });
    await server.endpoint.endSession(session['mcp-session-id'] ?? '');
    expect(await stream.text()).not.toContain('list_changed');
  });

  it('are all that there can be when the log no longer says what changed', async () => {
    const storage = memoryStorage();
    await server.stop();
    server = await startEndpoint({ storage: { ...storage, changes: { ...storage.changes, after: async () => null } } });
    const session = await open();
    await server.post(rpc('resources/subscribe', { uri: 'a:1' }), session);
    await storage.changes.append(TOOLS);
    await server.endpoint.follow();
    expect(await call(session)).toEqual([
      'notifications/tools/list_changed',
      'notifications/prompts/list_changed',
      'notifications/resources/list_changed',
      'a:1',
      'answer',
    ]);
  });

  it('are sent later when they cannot be read now, and the call gets its response', async () => {
    const storage = memoryStorage();
    let isBroken = false;
    const latest = () => (isBroken ? Promise.reject(new Error('the disk is full')) : storage.changes.latest());
    await server.stop();
    server = await startEndpoint({ storage: { ...storage, changes: { ...storage.changes, latest } } });
    const session = await open();
    await server.endpoint.publish(TOOLS);
    isBroken = true;
    expect(await call(session)).toEqual(['answer, in JSON']);
    expect(server.failures).toEqual([new Error('the disk is full')]);
    isBroken = false;
    expect(await call(session)).toEqual(['notifications/tools/list_changed', 'answer']);
  });

  it('are sent by a stream that is opened while a response looks for them', async () => {
    const storage = memoryStorage();
    const openings: Promise<Response>[] = [];
    let session: Headers = {};
    const claimChanges: typeof storage.sessions.claimChanges = async (...claim) => {
      openings.push(fetch(server.url, { headers: session }));
      await until(() => server.endpoint.counts().streams === 1);
      return storage.sessions.claimChanges(...claim);
    };
    await server.stop();
    server = await startEndpoint({ storage: { ...storage, sessions: { ...storage.sessions, claimChanges } } });
    session = await open();
    await server.endpoint.publish(TOOLS);
    expect(await call(session)).toEqual(['answer, in JSON']);
    await server.endpoint.endSession(session['mcp-session-id'] ?? '');
    const texts = await Promise.all(openings.map(async (opening) => (await opening).text()));
    expect(texts.map((text) => text.match(/list_changed/g)?.length)).toEqual([1]);
  });

  it('are sent with a later response when another one claimed them and did not deliver them', async () => {
    const storage = memoryStorage();
    const outcomes = [false];
    const claimChanges: typeof storage.sessions.claimChanges = async (...claim) =>
      outcomes.shift() ?? storage.sessions.claimChanges(...claim);
    await server.stop();
    server = await startEndpoint({ storage: { ...storage, sessions: { ...storage.sessions, claimChanges } } });
    const session = await open();
    await server.endpoint.publish(TOOLS);
    expect(await call(session)).toEqual(['answer, in JSON']);
    expect(await call(session)).toEqual(['notifications/tools/list_changed', 'answer']);
  });

  it('are sent once when several calls are made at the same time', async () => {
    const session = await open();
    await server.endpoint.publish(TOOLS);
    const heard = (await Promise.all([call(session), call(session), call(session)])).flat();
    expect(heard.filter((what) => what === 'notifications/tools/list_changed')).toHaveLength(1);
  });
});

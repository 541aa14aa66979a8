import { memoryStorage } from './memory-storage.js';
import { bodyReader, messagesOf } from './received.testing.js';
import { around, callOf, openSession, rpc, startEndpoint, type TestEndpoint, until } from './testing.js';

const BOTH = 'application/json, text/event-stream';
const JSON_ONLY = 'application/json';

const call = (name: string, id: string | number = 7) => callOf(name, {}, id);

/** The state of a response when its call ends, and how to get there. */
const RESPONSES = [
  { state: 'that has not begun', tool: 'wait', accept: BOTH, version: '2025-11-25', slowAfterMs: 60_000 },
  { state: 'that is padded JSON', tool: 'wait', accept: JSON_ONLY, version: '2025-11-25', slowAfterMs: 1 },
  { state: 'that is a stream', tool: 'progress', accept: BOTH, version: '2025-06-18', slowAfterMs: 60_000 },
  { state: 'that is a resumable stream', tool: 'progress', accept: BOTH, version: '2025-11-25', slowAfterMs: 60_000 },
] as const;

describe('a call with a response', () => {
  let server: TestEndpoint;
  afterEach(() => server.stop());

  async function begin({ tool, accept, version, slowAfterMs }: (typeof RESPONSES)[number]) {
    server = await startEndpoint({ timing: { slowAfterMs } });
    const session = await openSession(server, version);
    const response = server.post(call(tool), { ...session, accept });
    await until(() => server.endpoint.counts().calls === 1);
    const hasBegun = tool === 'progress' || slowAfterMs === 1;
    if (hasBegun) await response;
    return { session, id: session['mcp-session-id'] ?? '', response, hasBegun };
  }

  const endings = {
    'its client ends its session': {
      end: async ({ session }: { session: Record<string, string> }) =>
        fetch(server.url, { method: 'DELETE', headers: session }),
      status: 404,
      code: -32001,
      says: 'session',
    },
    'another ends its session': {
      end: async ({ id }: { id: string }) => server.endpoint.endSession(id),
      status: 404,
      code: -32001,
      says: 'session',
    },
    'its key is revoked': {
      end: async () => server.endpoint.revoke({ client: 'alice' }),
      status: 401,
      code: -32000,
      says: 'key',
    },
    'the service stops': {
      end: async () => server.endpoint.close(),
      status: 503,
      code: -32000,
      says: 'stopped',
    },
  };

  describe.each(RESPONSES)('$state', (shape) => {
    it.each(Object.entries(endings))('is answered, and its work stopped, when %s', async (_ending, ending) => {
      const { session, id, response, hasBegun } = await begin(shape);
      await ending.end({ session, id });
      const res = await response;
      const answers = messagesOf(await res.text()).filter((message) => 'id' in message);
      expect(answers).toEqual([
        {
          jsonrpc: '2.0',
          id: 7,
          error: { code: ending.code, message: expect.stringContaining(ending.says) as unknown },
        },
      ]);
      expect(res.status).toBe(hasBegun ? 200 : ending.status);
      expect(server.aborted).toEqual([shape.tool]);
      expect(server.endpoint.counts().calls).toBe(0);
      expect(server.failures).toEqual([]);
    });
  });

  it('that nobody is connected to is over when its session ends', async () => {
    server = await startEndpoint();
    const session = await openSession(server, '2025-11-25');
    await (await server.post(call('detach'), session)).text();
    expect(server.endpoint.counts().calls).toBe(1);
    await server.endpoint.endSession(session['mcp-session-id'] ?? '');
    await until(() => server.endpoint.counts().calls === 0);
    expect([server.aborted, server.failures]).toEqual([['detach'], []]);
  });

  it('that nobody is connected to is answered when its client comes back after the service stopped', async () => {
    server = await startEndpoint();
    const session = await openSession(server, '2025-11-25');
    const primer = lastIdOf(await (await server.post(call('detach'), session)).text());
    await server.stop();
    server = await startEndpoint({ storage: server.storage });
    const resumed = await fetch(server.url, { headers: { ...session, 'last-event-id': primer } });
    expect(messagesOf(await resumed.text())).toEqual([
      { jsonrpc: '2.0', id: 7, error: { code: -32000, message: expect.stringContaining('stopped') as unknown } },
    ]);
  });

  it('learns why before the service has stopped, even if recording that is slow', async () => {
    const storage = memoryStorage();
    const journal = around(storage.journal, async (_method, work) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return work();
    });
    server = await startEndpoint({ storage: { ...storage, journal } });
    const session = await openSession(server, '2025-11-25');
    const res = await server.post(call('progress'), session);
    const body = res.text();
    await server.endpoint.close();
    expect(server.endpoint.counts().calls).toBe(0);
    expect(messagesOf(await body).at(-1)).toMatchObject({ id: 7, error: { code: -32000 } });
  });

  it('that no client resumes in time is aborted, and reports that to a client that resumes later', async () => {
    server = await startEndpoint({ timing: { resumeWithinMs: 30 } });
    const session = await openSession(server, '2025-11-25');
    const res = await server.post(call('progress'), session);
    const body = bodyReader(res);
    const text = await body.until('notifications/progress');
    await body.cancel();
    await until(() => server.endpoint.counts().calls === 0);
    expect(server.aborted).toEqual(['progress']);
    const resumed = await fetch(server.url, { headers: { ...session, 'last-event-id': lastIdOf(text) } });
    expect(messagesOf(await resumed.text())).toEqual([
      { jsonrpc: '2.0', id: 7, error: { code: -32000, message: expect.stringContaining('not resumed') as unknown } },
    ]);
  });

  it('gets one answer when the service died between the answer and the end of the stream', async () => {
    const storage = memoryStorage();
    server = await startEndpoint({ storage, timing: { journalWithinMs: 20 } });
    const session = await openSession(server, '2025-11-25');
    storage.journal.finish = () => new Promise(() => undefined);
    const res = await server.post(call('echo'), { ...session, accept: 'text/event-stream' });
    const [primer] = /^id: .*$/m.exec(await res.text()) ?? [''];
    await server.stop();
    server = await startEndpoint({ storage });
    const headers = { ...session, 'last-event-id': primer.slice('id: '.length) };
    expect(messagesOf(await (await fetch(server.url, { headers })).text())).toMatchObject([{ id: 7, result: {} }]);
  });

  it('answers each request of a batch, and only once', async () => {
    server = await startEndpoint();
    const session = await openSession(server, '2025-03-26');
    const response = server.post([call('wait', 1), call('echo', 2), call('wait', 'three')], session);
    await until(() => server.endpoint.counts().calls === 1);
    await server.endpoint.endSession(session['mcp-session-id'] ?? '');
    expect(await (await response).json()).toMatchObject([
      { id: 2, result: {} },
      { id: 1, error: { code: -32001 } },
      { id: 'three', error: { code: -32001 } },
    ]);
  });

  /** Sends a batch whose first request is served until the storage has answered. */
  const sentLate = async () => {
    const storage = memoryStorage();
    server = await startEndpoint({ storage });
    const session = await openSession(server, '2025-03-26');
    const asked = Promise.withResolvers<void>();
    storage.sessions.saveLogLevel = () => asked.promise;
    const late = server.post([rpc('logging/setLevel', { level: 'info' }, 1), call('wait', 2)], session);
    await until(() => server.endpoint.counts().arriving === 1);
    return { session, late, asked };
  };

  it('is rejected with its own id when it arrives while the service stops', async () => {
    const { late, asked } = await sentLate();
    await server.endpoint.close();
    asked.resolve();
    expect((await late).status).toBe(503);
    expect(server.endpoint.counts().calls).toBe(0);
  });

  it('that begins while its session ends is answered, too', async () => {
    const { session, late, asked } = await sentLate();
    await server.endpoint.endSession(session['mcp-session-id'] ?? '');
    asked.resolve();
    expect(await (await late).json()).toMatchObject([
      { id: 1, error: { code: -32001 } },
      { id: 2, error: { code: -32001 } },
    ]);
  });
});

const lastIdOf = (text: string): string => [...text.matchAll(/^id: (.*)$/gm)].at(-1)?.[1] ?? '';

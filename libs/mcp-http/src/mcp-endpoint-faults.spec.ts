import { ErrorCode } from './json-rpc.js';
import { memoryStorage } from './memory-storage.js';
import { around, openSession, rpc, startEndpoint, type TestEndpoint } from './testing.js';

describe('a body that is no message', () => {
  let server: TestEndpoint;
  beforeEach(async () => void (server = await startEndpoint()));
  afterEach(() => server.stop());

  it.each([
    [{ id: 5, method: 'ping' }, 5],
    [[rpc('ping'), { method: 'ping' }], null],
    [[], null],
    ['ping', null],
  ])('is refused, as a whole when it is a batch: %j', async (body, id) => {
    const headers = { 'content-type': 'application/json' };
    const res = await fetch(server.url, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(res.status).toBe(400);
    expect(await res.json()).toEqual({
      jsonrpc: '2.0',
      id,
      error: { code: ErrorCode.invalidRequest, message: 'Invalid request: the body is not a JSON-RPC 2.0 message' },
    });
  });
});

describe('an endpoint whose storage fails', () => {
  it('says that a resource is watched only when that is written down', async () => {
    const storage = memoryStorage();
    let failures = 1;
    const sessions = around(storage.sessions, async (method, work) => {
      if (method === 'saveSubscriptions' && failures > 0) {
        failures -= 1;
        throw new Error('the database is down');
      }
      return work();
    });
    const server = await startEndpoint({ storage: { ...storage, sessions } });
    const session = await openSession(server);
    const subscribe = async () => {
      const headers = { 'content-type': 'application/json', accept: 'application/json', ...session };
      const body = JSON.stringify(rpc('resources/subscribe', { uri: 'a:1' }));
      return (await fetch(server.url, { method: 'POST', headers, body })).json();
    };
    const stored = async () => (await storage.sessions.find(session['mcp-session-id'] ?? ''))?.subscriptions;
    expect(await subscribe()).toHaveProperty('error');
    expect(await stored()).toEqual([]);
    expect(await subscribe()).toHaveProperty('result');
    expect(await stored()).toEqual(['a:1']);
    await server.stop();
  });

  it('leaves it to its host what to answer, while nothing is sent', async () => {
    const storage = memoryStorage();
    const sessions = around(storage.sessions, async (method, work) => {
      if (method === 'find') throw new Error('the database is down');
      return work();
    });
    const server = await startEndpoint({ storage: { ...storage, sessions } });
    const res = await fetch(server.url, { headers: { 'mcp-session-id': 'some' } });
    expect([res.status, await res.text()]).toEqual([500, expect.stringContaining('the database is down')]);
    expect(server.failures).toEqual([new Error('the database is down')]);
    expect(server.endpoint.counts().arriving).toBe(0);
    await server.stop();
  });
});

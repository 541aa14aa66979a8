import { ErrorCode } from './json-rpc.js';
import { openSession, rpc, startEndpoint, type TestEndpoint } from './testing.js';

describe('the requests of a session', () => {
  let server: TestEndpoint;
  afterEach(() => server.stop());

  const answerTo = async (session: Record<string, string>, body: object) => {
    const res = await server.post(body, { accept: 'application/json', ...session });
    return { status: res.status, body: (await res.json()) as Record<string, unknown> };
  };

  it.each([[undefined], [{}], [{ level: 'loud' }], [{ level: 7 }]])(
    'may set no log level that there is not: %j',
    async (params) => {
      server = await startEndpoint();
      const session = await openSession(server);
      const request = { jsonrpc: '2.0', id: 5, method: 'logging/setLevel', ...(params && { params }) };
      expect(await answerTo(session, request)).toMatchObject({
        status: 200,
        body: {
          id: 5,
          error: {
            code: ErrorCode.invalidParams,
            message:
              'Invalid params: "level" must be one of debug, info, notice, warning, error, critical, alert, emergency',
          },
        },
      });
      expect((await server.storage.sessions.find(session['mcp-session-id'] ?? ''))?.logLevel).toBeNull();
    },
  );

  it('may set the log level, which is recorded', async () => {
    server = await startEndpoint();
    const session = await openSession(server);
    const request = rpc('logging/setLevel', { level: 'error' });
    expect(await answerTo(session, request)).toMatchObject({ status: 200, body: { id: 1, result: {} } });
    expect((await server.storage.sessions.find(session['mcp-session-id'] ?? ''))?.logLevel).toBe('error');
  });

  it('are rejected under their own ids, those of a batch in an array', async () => {
    server = await startEndpoint();
    const session = await openSession(server);
    const calls = [rpc('ping', {}, 1), { jsonrpc: '2.0', method: 'notifications/a' }, rpc('ping', {}, 'two')];
    const error = { code: ErrorCode.invalidRequest, message: 'Batches exist only in protocol version 2025-03-26' };
    const answers = [1, 'two'].map((id) => ({ jsonrpc: '2.0', id, error }));
    expect(await answerTo(session, calls)).toEqual({ status: 400, body: answers });
    expect(await answerTo(session, calls.slice(1, 2))).toEqual({
      status: 400,
      body: { jsonrpc: '2.0', id: null, error },
    });
  });

  it('do not negotiate the session anew', async () => {
    server = await startEndpoint();
    const session = await openSession(server, '2025-03-26');
    const error = { code: ErrorCode.invalidRequest, message: 'Send initialize alone, not in a batch' };
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    for (const headers of [session, {}]) {
      const answer = await answerTo(headers, [rpc('ping', {}, 1), rpc('initialize', params, 2)]);
      expect(answer).toEqual({ status: 400, body: [1, 2].map((id) => ({ jsonrpc: '2.0', id, error })) });
    }
  });

  it('need the id of an existing session', async () => {
    server = await startEndpoint();
    expect(await answerTo({}, rpc('ping', {}, 5))).toMatchObject({ status: 400, body: { id: 5 } });
    for (const id of ['none', 'x'.repeat(101)]) {
      expect(await answerTo({ 'mcp-session-id': id }, rpc('ping', {}, 5))).toMatchObject({
        status: 404,
        body: { id: 5, error: { code: ErrorCode.sessionNotFound } },
      });
    }
  });
});

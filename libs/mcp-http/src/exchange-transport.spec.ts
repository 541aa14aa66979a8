import type { JSONRPCMessage, JSONRPCResponse, ServerContext } from '@modelcontextprotocol/server';
import { Server } from '@modelcontextprotocol/server';
import { type AnswerSink, ExchangeTransport, requestEntryOf } from './exchange-transport.js';
import { ErrorCode } from './json-rpc.js';

interface Answer {
  message: JSONRPCResponse;
  status: number;
}

/** Statuses that show which error came when. */
const BEFORE_HANDLER = 404;
const FROM_HANDLER = 200;

/** The transport with a protocol server, and what came back. */
async function connected(entry: 'by name' | 'public') {
  const server = new Server({ name: 'test', version: '1' }, { capabilities: { tools: {} } });
  const signals: AbortSignal[] = [];
  const served: unknown[] = [];
  server.setRequestHandler('tools/list', (_request, ctx) => {
    signals.push(ctx.mcpReq.signal);
    served.push(ctx.http?.authInfo?.clientId);
    return new Promise(() => undefined);
  });
  server.setRequestHandler('tools/call', async ({ params }, ctx) => {
    await ctx.mcpReq.notify({ method: 'notifications/progress', params: { progressToken: 1, progress: 1 } });
    if (params.name === 'refuse') throw Object.assign(new Error('no'), { code: ErrorCode.methodNotFound });
    if (params.name === 'go on') return { resultType: 'task', taskId: 'one' } as never;
    return { content: [{ type: 'text', text: params.name }] };
  });
  const transport = new ExchangeTransport(undefined, {
    statusOf: (_code, beforeHandler) => (beforeHandler ? BEFORE_HANDLER : FROM_HANDLER),
    codeOf: ({ code }) => code,
  });
  if (entry === 'by name') await transport.connect(server);
  else await server.connect(transport);
  const sent: JSONRPCMessage[] = [];
  const first = Promise.withResolvers<Answer>();
  const sink: AnswerSink = {
    send: (message) => sent.push(message) > 0,
    answer: (message, status) => first.resolve({ message, status }),
    forgo: () => void sent.push({ jsonrpc: '2.0', method: 'forgone' }),
    abandon: () => void sent.push({ jsonrpc: '2.0', method: 'abandoned' }),
  };
  const request = (method: string, params: Record<string, unknown> = {}) =>
    transport.request({ jsonrpc: '2.0', id: 'seven', method, params }, sink, {
      authInfo: { token: '', clientId: 'alice', scopes: [] },
    });
  return { transport, request, sink, sent, signals, served, answer: first.promise };
}

it('the release of the SDK in use has the private entry for requests', () => {
  const server = new Server({ name: 'test', version: '1' }, {});
  expect(requestEntryOf(server)).not.toBeNull();
  expect(requestEntryOf(Object.create(null) as Server)).toBeNull();
});

// The entry is private: what it must do is compared with what the public one does.
describe.each(['by name', 'public'] as const)('a request that enters %s', (entry) => {
  it('reaches its handler, and its answer and notifications come back under its own id', async () => {
    const { request, answer, sent } = await connected(entry);
    request('tools/call', { name: 'echo' });
    expect(await answer).toEqual({
      message: { jsonrpc: '2.0', id: 'seven', result: { content: [{ type: 'text', text: 'echo' }] } },
      status: FROM_HANDLER,
    });
    expect(sent).toMatchObject([{ method: 'notifications/progress' }]);
  });

  it('may be answered with a task, which has no content', async () => {
    const { request, answer } = await connected(entry);
    request('tools/call', { name: 'go on' });
    expect((await answer).message).toEqual({
      jsonrpc: '2.0',
      id: 'seven',
      result: { resultType: 'task', taskId: 'one' },
    });
  });

  it('carries who calls', async () => {
    const { request, served } = await connected(entry);
    request('tools/list');
    await turn();
    expect(served).toEqual(['alice']);
  });

  it('is aborted when nobody waits for it, and when its client cancels it', async () => {
    const { transport, request, signals, sink, sent } = await connected(entry);
    request('tools/list');
    request('tools/list');
    await turn();
    transport.deliver({
      kind: 'notification',
      message: { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'seven' } },
    });
    await turn();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    expect([sent.length, transport.inFlight]).toEqual([2, 0]);
    request('tools/list');
    await turn();
    transport.cancel(sink);
    await turn();
    expect([signals.at(-1)?.aborted, transport.inFlight]).toEqual([true, 0]);
  });

  it('is given up when the transport ends, and so is one that comes later', async () => {
    const { transport, request, sent } = await connected(entry);
    request('tools/list');
    request('tools/list');
    await turn();
    transport.end({ httpStatus: 404, code: ErrorCode.sessionNotFound, message: 'over' });
    expect(sent).toMatchObject([{ method: 'abandoned' }]);
    request('tools/list');
    expect([sent.length, transport.isEnded]).toEqual([2, true]);
  });

  it('is refused at once when no handler takes it', async () => {
    const { request, answer } = await connected(entry);
    request('no/such');
    expect(await answer).toMatchObject({
      message: { id: 'seven', error: { code: ErrorCode.methodNotFound } },
      status: BEFORE_HANDLER,
    });
  });

  it('is answered later when its handler refuses it, whatever code it chooses', async () => {
    const { request, answer } = await connected(entry);
    request('tools/call', { name: 'refuse' });
    expect(await answer).toMatchObject({
      message: { id: 'seven', error: { code: ErrorCode.methodNotFound } },
      status: FROM_HANDLER,
    });
  });
});

describe('what a handler sends after its answer', () => {
  it('goes nowhere, though a stream of the session is open', async () => {
    const unrelated: JSONRPCMessage[] = [];
    const errors = { statusOf: () => 200, codeOf: ({ code }: { code: number }) => code };
    const transport = new ExchangeTransport('session', errors, (message) => unrelated.push(message) > 0);
    const server = new Server({ name: 'test', version: '1' }, { capabilities: { tools: { listChanged: true } } });
    const late = Promise.withResolvers<ServerContext>();
    server.setRequestHandler('tools/list', (_request, ctx) => {
      late.resolve(ctx);
      return { tools: [] };
    });
    await transport.connect(server);
    const answered = new Promise((resolve) => {
      const sink: AnswerSink = { send: () => true, answer: resolve, forgo: () => {}, abandon: () => {} };
      transport.request({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }, sink, {});
    });
    await answered;
    const { mcpReq } = await late.promise;
    await mcpReq.notify({ method: 'notifications/progress', params: { progressToken: 1, progress: 1 } });
    await expect(mcpReq.send({ method: 'ping' })).rejects.toThrow('no stream is open');
    expect(unrelated).toEqual([]);
    await server.sendToolListChanged();
    expect(unrelated).toEqual([{ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }]);
  });
});

describe('a protocol server that throws during the dispatch', () => {
  it('does not make later errors of handlers look like errors before them', async () => {
    const { transport, request, answer } = await connected('public');
    request('tools/call', { name: 'refuse' });
    transport.onmessage = () => {
      throw new Error('broken');
    };
    expect(() => request('tools/call', { name: 'echo' })).toThrow('broken');
    expect((await answer).status).toBe(FROM_HANDLER);
  });
});

/** Resolves when handlers have begun. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

import { jest } from '@jest/globals';
import type { JSONRPCMessage, JSONRPCResponse, ServerContext } from '@modelcontextprotocol/server';
import { Server } from '@modelcontextprotocol/server';
import { type AnswerSink, askedOf, ExchangeTransport, requestEntryOf } from './exchange-transport.js';
import { ErrorCode } from './json-rpc.js';

interface Answer {
  message: JSONRPCResponse;
  status: number;
}

/** Statuses that show whether an error came before or from the handler. */
const BEFORE_HANDLER = 404;
const FROM_HANDLER = 200;

/** The transport with a protocol server, and the responses. */
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
    cancel: () => void sent.push({ jsonrpc: '2.0', method: 'forgone' }),
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

// The entry point is private, so its behaviour is compared with that of the public one.
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
      const sink: AnswerSink = { send: () => true, answer: resolve, cancel: () => {}, abandon: () => {} };
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

describe('what the server asks its client', () => {
  const errors = { statusOf: () => 200, codeOf: ({ code }: { code: number }) => code };
  const question = (id: number) => ({ jsonrpc: '2.0' as const, id, method: 'elicitation/create', params: { a: 1 } });
  const cancelled = (requestId: number) => ({
    jsonrpc: '2.0' as const,
    method: 'notifications/cancelled',
    params: { requestId, reason: 'enough' },
  });

  function asking() {
    const sent: JSONRPCMessage[] = [];
    const transport = new ExchangeTransport('session', errors, (message) => sent.push(message) > 0);
    const heard: JSONRPCMessage[] = [];
    transport.onmessage = (message) => void heard.push(message);
    const idOf = (index: number) => Reflect.get(sent[index] ?? {}, 'id') as string;
    return { transport, sent, heard, idOf };
  }

  it('has an id that no other process, nor this one after a restart, gives to a question', async () => {
    const [one, other] = [asking(), asking()];
    await one.transport.send(question(0));
    await one.transport.send(question(1));
    await other.transport.send(question(0));
    const ids = [one.idOf(0), one.idOf(1), other.idOf(0)];
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^s[\w-]{8}-[01]$/);
    expect(one.sent[0]).toEqual({ ...question(0), id: ids[0] });
  });

  it('is taken back under the same id', async () => {
    const { transport, sent, idOf } = asking();
    await transport.send(question(3));
    await transport.send(cancelled(3));
    expect(sent[1]).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: idOf(0), reason: 'enough' },
    });
  });

  it('is answered under the id that the server knows, be it with a result or an error', async () => {
    const { transport, heard, idOf } = asking();
    await transport.send(question(3));
    const answers = [{ result: { action: 'accept' } }, { error: { code: -1, message: 'no' } }];
    for (const answer of answers)
      expect(transport.deliver({ kind: 'response', message: { jsonrpc: '2.0', id: idOf(0), ...answer } })).toBe(false);
    expect(heard).toEqual(answers.map((answer) => ({ jsonrpc: '2.0', id: 3, ...answer })));
  });

  it('counts as unanswered shortly before the SDK would fail its call after 10 minutes', async () => {
    jest.useFakeTimers();
    try {
      const { transport, sent, heard, idOf } = asking();
      for (const id of [3, 4]) await transport.send(question(id));
      transport.deliver({ kind: 'response', message: { jsonrpc: '2.0', id: idOf(0), result: { action: 'accept' } } });
      await jest.advanceTimersByTimeAsync(599_000);
      expect(heard).toEqual([
        { jsonrpc: '2.0', id: 3, result: { action: 'accept' } },
        { jsonrpc: '2.0', id: 4, result: { action: 'cancel' } },
      ]);
      const params = { requestId: idOf(1), reason: 'Nobody answered in time' };
      expect(sent.slice(2)).toEqual([{ jsonrpc: '2.0', method: 'notifications/cancelled', params }]);
    } finally {
      jest.useRealTimers();
    }
  });

  it.each([
    { error: { code: -32603, message: 'no dialog' } },
    { result: {} },
    { result: { action: 'reject' } },
    { result: { action: 'accept', content: { a: { b: 1 } } } },
  ])('counts as unanswered when the client fails to answer: %j', async (answer) => {
    const { transport, heard, idOf } = asking();
    await transport.send(question(3));
    transport.deliver({ kind: 'response', message: { jsonrpc: '2.0', id: idOf(0), ...answer } });
    expect(heard).toEqual([{ jsonrpc: '2.0', id: 3, result: { action: 'cancel' } }]);
  });

  it('may be answered to another process', () => {
    const { transport, heard } = asking();
    for (const id of [3, '3', 'sAAAAAAAA-3'])
      expect(transport.deliver({ kind: 'response', message: { jsonrpc: '2.0', id, result: {} } })).toBe(true);
    expect(heard).toEqual([]);
  });

  it('fails when nothing is there to ask it on, unlike a notification, which is dropped', async () => {
    const transport = new ExchangeTransport(undefined, errors);
    await expect(transport.send(question(3))).rejects.toThrow(
      'elicitation/create: no stream is open on which the client could be asked. Send Accept: application/json, text/event-stream with the request',
    );
    await transport.send({ jsonrpc: '2.0', method: 'notifications/a' });
  });

  it('is asked on another stream when the response of its request cannot carry it, unlike a notification', async () => {
    const { transport, sent } = asking();
    const taken: JSONRPCMessage[] = [];
    const sink = (takes: boolean): AnswerSink => ({
      send: (message) => takes && taken.push(message) > 0,
      answer: () => {},
      cancel: () => {},
      abandon: () => {},
    });
    [true, false].forEach((takes, id) =>
      transport.request({ jsonrpc: '2.0', id, method: 'tools/call' }, sink(takes), {}),
    );
    const told = { jsonrpc: '2.0' as const, method: 'notifications/progress', params: {} };
    for (const relatedRequestId of [1, 2]) {
      for (const message of [question(3), cancelled(3), told]) await transport.send(message, { relatedRequestId });
    }
    const methods = (messages: JSONRPCMessage[]) => messages.map((message) => 'method' in message && message.method);
    expect(methods(taken)).toEqual(['elicitation/create', 'notifications/cancelled', 'notifications/progress']);
    expect(methods(sent)).toEqual(['elicitation/create', 'notifications/cancelled']);
  });
});

describe('what a client sends beside its requests', () => {
  it('reaches the server, except that a request is cancelled that is not here', async () => {
    const transport = new ExchangeTransport('session', { statusOf: () => 200, codeOf: ({ code }) => code });
    const heard: JSONRPCMessage[] = [];
    transport.onmessage = (message) => void heard.push(message);
    const message = { jsonrpc: '2.0' as const, method: 'notifications/initialized' };
    expect(transport.deliver({ kind: 'notification', message })).toBe(false);
    expect(heard).toEqual([message]);
    for (const params of [{ requestId: 'seven' }, undefined]) {
      const cancelled = { jsonrpc: '2.0' as const, method: 'notifications/cancelled', ...(params && { params }) };
      expect(transport.deliver({ kind: 'notification', message: cancelled })).toBe(true);
    }
    expect(heard).toHaveLength(1);
  });
});

describe('an error of the server', () => {
  it('has the code of the era, and quotes only a limited part of the request', async () => {
    const transport = new ExchangeTransport('session', { statusOf: (code) => 1_000 + code, codeOf: () => 5 });
    const answers: [JSONRPCMessage, number][] = [];
    const sink: AnswerSink = {
      send: () => true,
      answer: (message, status) => void answers.push([message, status]),
      cancel: () => {},
      abandon: () => {},
    };
    transport.request({ jsonrpc: '2.0', id: 'seven', method: 'ping' }, sink, {});
    const error = { code: 4, message: 'x'.repeat(5_000), data: { a: 1 } };
    await transport.send({ jsonrpc: '2.0', id: 1, error });
    await transport.send({ jsonrpc: '2.0', id: 1, error });
    const told = { code: 5, message: `${'x'.repeat(4_000)}…`, data: { a: 1 } };
    expect(answers).toEqual([[{ jsonrpc: '2.0', id: 'seven', error: told }, 1_005]]);
  });
});

describe('the original request', () => {
  it.each([
    ['tools/call', { name: 'echo' }, 'echo'],
    ['tools/call', { name: 7 }, null],
    ['tools/call', {}, null],
    ['tools/call', undefined, null],
    ['prompts/get', { name: 'echo' }, null],
  ])('by %s with %j is of the tool %j', (method, params, tool) => {
    expect(askedOf({ jsonrpc: '2.0', id: 1, method, ...(params && { params }) })).toEqual({ method, tool });
  });
});

/** Resolves when handlers have started. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

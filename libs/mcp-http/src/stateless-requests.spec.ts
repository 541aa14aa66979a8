import { jest } from '@jest/globals';
import { ProtocolError, type Server, type ServerContext } from '@modelcontextprotocol/server';
import { type Caller, callerOf, type Program, type RequestSource } from './caller.js';
import { DEFAULT_TIMING, type EndpointOptions, type EndpointProtocol } from './endpoint-options.js';
import { CANCELLED_BY_CLIENT } from './exchange-transport.js';
import { Exchanges } from './exchanges.js';
import { FairQueue } from './fair-queue.js';
import { ErrorCode, type InboundMessage, readMessage } from './json-rpc.js';
import { ListenStreams } from './listen-streams.js';
import { limitsFor, Quota, STREAMS } from './quota.js';
import { isStateless, StatelessRequests, unsupportedVersion } from './stateless-requests.js';
import { Connection, requestWith } from './received.testing.js';
import { eventStreams, hostWith, ROOMY_LIMITS, rpc } from './testing.js';

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const ENVELOPE = {
  [VERSION]: '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'editor', version: '1.2' },
};
const HEADERS = { 'mcp-protocol-version': '2026-07-28' };
const OLDER = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

function inboundOf(message: object): InboundMessage {
  const inbound = readMessage({ jsonrpc: '2.0', ...message });
  if (!inbound) throw new TypeError('this is no message');
  return inbound;
}

describe('a message is of the stateless era', () => {
  it.each([
    ['2026-07-28', true],
    ['2027-01-01', true],
    ['2025-11-25', false],
    ['9999', false],
    ['v2026-07-28', false],
    ['2026-07-28-draft', false],
    ['draft', false],
  ])('when its header says so: %s, %j', (version, expected) => {
    expect(isStateless(requestWith({ 'mcp-protocol-version': version }), inboundOf(rpc('ping')))).toBe(expected);
  });

  it('when its envelope says so, whatever the version', () => {
    const says = (message: object) => isStateless(requestWith({}), inboundOf(message));
    expect(says(rpc('ping', { _meta: { [VERSION]: '2025-11-25' } }))).toBe(true);
    expect(says({ method: 'notifications/a', params: { _meta: { [VERSION]: '2026-07-28' } } })).toBe(true);
    expect(says(rpc('ping', { _meta: { progressToken: 1 } }))).toBe(false);
    expect([says(rpc('ping')), says({ id: 1, method: 'ping' })]).toEqual([false, false]);
  });

  it('never when it is an answer: the server asks nothing there', () => {
    expect(isStateless(requestWith(HEADERS), inboundOf({ id: 1, result: {} }))).toBe(false);
  });
});

describe('the refusal of a version', () => {
  const refusalOf = (requested: string | undefined) => {
    const { httpStatus, code, message, data } = unsupportedVersion(requested);
    expect([httpStatus, code]).toEqual([400, ErrorCode.unsupportedVersion]);
    return { message, data };
  };

  it('names all that are served, to a client of an older one or of none', () => {
    const supported = ['2026-07-28', ...OLDER];
    expect(refusalOf(undefined)).toStrictEqual({
      message: 'Unsupported protocol version: none given',
      data: { supported },
    });
    expect(refusalOf('2025-01-01')).toEqual({
      message: 'Unsupported protocol version: 2025-01-01',
      data: { supported, requested: '2025-01-01' },
    });
  });

  it('names those without sessions to a client of a later one', () => {
    expect(refusalOf('2027-01-01').data).toEqual({ supported: ['2026-07-28'], requested: '2027-01-01' });
    expect(refusalOf('2026-07-28').data).toEqual({ supported: ['2026-07-28'], requested: '2026-07-28' });
  });

  it('repeats only the beginning of a long one', () => {
    const shown = `${'1'.repeat(100)}…`;
    expect(refusalOf('1'.repeat(101))).toMatchObject({
      message: `Unsupported protocol version: ${shown}`,
      data: { requested: shown },
    });
  });
});

describe('a stateless request', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] });
  });
  afterEach(() => void jest.useRealTimers());

  it('is answered under its own id, by a handler that knows who calls and with which program', async () => {
    const { call, requests, served } = await serving();
    expect(await call('tools/list', {})).toMatchObject({ status: 200, messages: [{ id: 7, result: { tools: [] } }] });
    const program = { name: 'editor', version: '1.2', protocolVersion: '2026-07-28' };
    expect(requests).toEqual([{ caller: { name: 'alice' }, program }]);
    expect(served).toEqual([{ name: 'alice', source: { program, sessionId: null } }]);
  });

  it('needs neither an observing host nor a program that identifies itself', async () => {
    const { call, served } = await serving({ onRequest: undefined, identify: undefined });
    const { [VERSION]: version, 'io.modelcontextprotocol/clientCapabilities': capabilities } = ENVELOPE;
    const _meta = { [VERSION]: version, 'io.modelcontextprotocol/clientCapabilities': capabilities };
    expect(await call('tools/list', { _meta })).toMatchObject({ status: 200, messages: [{ result: { tools: [] } }] });
    expect(served).toEqual([{ name: 'alice' }]);
  });

  // Shows in 2026-07-28: headers.missing, headers.mismatch, headers.version, headers.parameter-missing
  it.each([
    ['its header names another version', 'tools/list', {}, { 'mcp-protocol-version': '2025-11-25' }],
    ['its envelope names another version', 'tools/list', { _meta: { ...ENVELOPE, [VERSION]: '2027-01-01' } }, {}],
    ['its header names another method', 'tools/list', {}, { 'mcp-method': 'ping' }],
    ['its headers name another tool', 'tools/call', { name: 'echo' }, { 'mcp-name': 'other' }],
    ['its headers name no tool', 'tools/call', { name: 'echo' }, {}],
    [
      'a header has another parameter',
      'tools/call',
      REGION('north'),
      { 'mcp-name': 'region', 'mcp-param-region': 'south' },
    ],
    ['a header lacks a parameter', 'tools/call', REGION('north'), { 'mcp-name': 'region' }],
  ])('is refused when %s', async (_title, method, params, headers) => {
    const { call, requests } = await serving();
    expect(await call(method, params, headers)).toMatchObject({
      status: 400,
      messages: [{ id: 7, error: { code: ErrorCode.headerMismatch } }],
    });
    expect(requests).toEqual([]);
  });

  it('repeats parameters in headers only for a tool that is called', async () => {
    const { call } = await serving();
    const sent = { 'mcp-name': 'region', 'mcp-param-region': 'north' };
    expect((await call('tools/call', REGION('north'), sent)).status).toBe(200);
    expect((await call('tools/call', { name: 'echo' }, { 'mcp-name': 'echo' })).status).toBe(200);
    expect((await call('prompts/get', REGION('north'), { 'mcp-name': 'region' })).status).toBe(404);
  });

  // Shows in 2026-07-28: envelope.required
  it.each([
    ['has no envelope', { _meta: undefined }, ErrorCode.invalidParams],
    ['does not say what the client can', { _meta: { [VERSION]: '2026-07-28' } }, ErrorCode.invalidParams],
  ])('is refused when it %s', async (_title, params, code) => {
    const { call, requests } = await serving();
    expect(await call('tools/list', params)).toMatchObject({ status: 400, messages: [{ id: 7, error: { code } }] });
    expect(requests).toEqual([]);
  });

  it.each(['tools/list', 'subscriptions/listen'])('is refused when its envelope is wrong: %s', async (method) => {
    const { call, listenStreams } = await serving();
    const params = { notifications: {}, _meta: { ...ENVELOPE, 'io.modelcontextprotocol/logLevel': 'loud' } };
    expect(await call(method, params)).toMatchObject({
      status: 400,
      messages: [{ id: 7, error: { code: ErrorCode.invalidParams } }],
    });
    expect(listenStreams.count).toBe(0);
  });

  // Shows in 2026-07-28: version.unsupported
  it('is refused with the versions that are served when it is of another one', async () => {
    const { call, requests } = await serving();
    const error = { code: ErrorCode.unsupportedVersion, data: { supported: ['2026-07-28'], requested: '2027-01-01' } };
    const _meta = { ...ENVELOPE, [VERSION]: '2027-01-01' };
    const later = await call('tools/list', { _meta }, { 'mcp-protocol-version': '2027-01-01' });
    expect(later).toMatchObject({ status: 400, messages: [{ id: 7, error }] });
    const handshake = { protocolVersion: '2025-11-25', _meta: { [VERSION]: '2025-11-25' } };
    expect(await call('initialize', handshake, { 'mcp-protocol-version': '2025-11-25' })).toMatchObject({
      status: 400,
      messages: [{ id: 7, error: { code: ErrorCode.unsupportedVersion, data: { requested: '2025-11-25' } } }],
    });
    expect(requests).toEqual([]);
  });

  it.each([
    ['of a method that nobody handles', 'no/such', {}, 404, ErrorCode.methodNotFound],
    [
      'that its handler refuses as if it had no such method',
      'tools/call',
      { name: 'absent' },
      200,
      ErrorCode.methodNotFound,
    ],
    [
      'that lacks a capability, as its handler finds',
      'tools/call',
      { name: 'lacking' },
      400,
      ErrorCode.missingCapability,
    ],
  ])('gets the status of its error: one %s', async (_title, method, params, status, code) => {
    const { call } = await serving();
    const answer = await call(method, params, 'name' in params ? { 'mcp-name': params.name } : {});
    expect(answer).toMatchObject({ status, messages: [{ id: 7, error: { code } }] });
  });

  // Shows in 2026-07-28: cancel.disconnect
  it('is stopped when its connection is closed', async () => {
    const { begin, signals } = await serving();
    const connection = await begin('tools/call', { name: 'wait' }, { 'mcp-name': 'wait' });
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    connection.breakOff();
    await settled();
    expect(signals.map(({ reason }) => reason as unknown)).toEqual([CANCELLED_BY_CLIENT]);
  });

  it('is not cancelled by its client when the service stops', async () => {
    const { begin, signals, exchanges } = await serving();
    const connection = await begin('tools/call', { name: 'wait' }, { 'mcp-name': 'wait' });
    exchanges.stop();
    connection.breakOff();
    await settled();
    expect(signals.map(({ aborted, reason }) => aborted && reason !== CANCELLED_BY_CLIENT)).toEqual([true]);
  });

  it('is refused to a client with as many calls as it may have, to be sent again soon', async () => {
    const { begin } = await serving();
    await begin('tools/call', { name: 'wait' }, { 'mcp-name': 'wait' });
    const { res, headers, messages } = await begin('tools/list', {});
    expect([res.statusCode, headers]).toMatchObject([429, { 'Retry-After': '1' }]);
    expect(messages).toMatchObject([{ id: 7, error: { code: ErrorCode.refused } }]);
  });

  it('that listens opens a stream, and does not count as a call', async () => {
    const { begin, exchanges, listenStreams } = await serving();
    const { messages } = await begin('subscriptions/listen', { notifications: {} });
    expect(messages).toMatchObject([{ method: 'notifications/subscriptions/acknowledged' }]);
    expect([exchanges.count, listenStreams.count]).toEqual([0, 1]);
    const program = { name: 'editor', version: '1.2', protocolVersion: '2026-07-28' };
    expect(listenStreams.openStreams()).toEqual([{ caller: 'alice', program, sessionId: null }]);
  });

  it('that listens may watch what its caller may, with this program', async () => {
    const asked: Seen[] = [];
    const { begin } = await serving(
      {},
      {
        serverOptions: { capabilities: { resources: { subscribe: true } } },
        mayWatch: (caller) => asked.push(caller) > 0,
        register: () => {},
      },
    );
    await begin('subscriptions/listen', { notifications: { resourceSubscriptions: ['a:1'] } });
    expect(asked).toMatchObject([{ name: 'alice', source: { program: { name: 'editor' }, sessionId: null } }]);
  });

  it.each([
    [
      { tasks: { find: async () => null } },
      { tools: {}, extensions: { own: {}, 'io.modelcontextprotocol/tasks': {} } },
    ],
    [{ tasks: null }, { tools: {}, extensions: { own: {} } }],
  ])('finds out what the server can: with %j, %j', async (protocol, capabilities) => {
    const { call } = await serving({}, protocol);
    const { messages } = await call('server/discover', {});
    expect(messages).toMatchObject([{ result: { supportedVersions: ['2026-07-28'] } }]);
    expect(messages[0]?.['result']).toHaveProperty('capabilities', capabilities);
  });
});

describe('a stateless notification', () => {
  it('is taken, and does nothing', async () => {
    const { post, requests } = await serving();
    for (const params of [{ requestId: 7 }, { requestId: 7, _meta: ENVELOPE }]) {
      const method = 'notifications/cancelled';
      const { res, body } = await post({ method, params }, { ...HEADERS, 'mcp-method': method });
      expect([res.statusCode, body, requests]).toEqual([202, '', []]);
    }
  });

  it('is refused without an id when its version is not served', async () => {
    const { post } = await serving();
    const version = { 'mcp-protocol-version': '2027-01-01' };
    const { res, messages } = await post({ method: 'notifications/a' }, version);
    expect(res.statusCode).toBe(400);
    expect(messages).toMatchObject([{ id: null, error: { code: ErrorCode.unsupportedVersion } }]);
  });
});

function REGION(region: string) {
  return { name: 'region', arguments: { region } };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

type Seen = Caller & { source?: RequestSource };

/** Returns the request handler of a server whose clients may have one call each, and what it reports. */
async function serving(
  options: { onRequest?: undefined; identify?: undefined } = {},
  protocol: Partial<EndpointProtocol<Caller>> = {},
) {
  const limits = () => ({ ...ROOMY_LIMITS, maxCallsPerKey: 1 });
  const requests: { caller: Caller; program: Program }[] = [];
  const [served, signals]: [Seen[], AbortSignal[]] = [[], []];
  const host: EndpointOptions<Caller> = hostWith(
    {
      limits,
      ...('onRequest' in options ? {} : { onRequest: (caller, program) => void requests.push({ caller, program }) }),
      ...('identify' in options ? {} : { identify: (caller, source) => Object.assign({ ...caller }, { source }) }),
    },
    {
      serverOptions: { capabilities: { tools: {}, extensions: { own: {} } } },
      headerParameters: (name) => (name === 'region' ? [{ header: 'Mcp-Param-Region', path: ['region'] }] : []),
      register: (server) =>
        register(server, (ctx) => void (served.push(callerOf(ctx)), signals.push(ctx.mcpReq.signal))),
      ...protocol,
    },
  );
  const { events, unread } = eventStreams(limits);
  const exchanges = new Exchanges({
    timing: DEFAULT_TIMING,
    limits,
    quotaOf: undefined,
    resultLimitOf: undefined,
    turns: new FairQueue(),
    events,
    unread,
    onStorageError: () => {},
  });
  const listenStreams = new ListenStreams(host, events, new Quota(STREAMS, () => limitsFor(null, 10, 10)));
  const stateless = new StatelessRequests(host, exchanges, listenStreams);
  await stateless.start();
  const post = async (message: object, headers: Record<string, string>) => {
    const connection = new Connection();
    await stateless.post(requestWith(headers), connection.res, inboundOf(message), { name: 'alice' });
    for (let turn = 0; turn < 3; turn += 1) await settled();
    return connection;
  };
  const begin = (method: string, params: object, headers: Record<string, string> = {}) =>
    post(rpc(method, { _meta: ENVELOPE, ...params }, 7), { ...HEADERS, 'mcp-method': method, ...headers });
  const call = async (...params: Parameters<typeof begin>) => {
    const { res, messages } = await begin(...params);
    return { status: res.statusCode, messages };
  };
  return { post, begin, call, requests, served, signals, exchanges, listenStreams };
}

function register(server: Server, isCalled: (ctx: ServerContext) => void): void {
  server.setRequestHandler('tools/list', (_request, ctx) => {
    isCalled(ctx);
    return { tools: [] };
  });
  server.setRequestHandler('tools/call', async ({ params: { name } }, ctx) => {
    isCalled(ctx);
    // It must not be a response of the protocol server itself.
    await Promise.resolve();
    if (name === 'wait') return new Promise(() => undefined);
    if (name === 'absent') throw new ProtocolError(ErrorCode.methodNotFound, 'no');
    if (name === 'lacking') throw new ProtocolError(ErrorCode.missingCapability, 'no');
    return { content: [] };
  });
}

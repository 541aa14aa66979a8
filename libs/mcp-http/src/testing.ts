import { createServer, type Server as HttpServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import type { Server, ServerContext } from '@modelcontextprotocol/server';
import type { Caller } from './caller.js';
import {
  DEFAULT_TIMING,
  type EndpointLimits,
  type EndpointOptions,
  type EndpointProtocol,
  type EndpointTiming,
  type ResourceSubscriptions,
} from './endpoint-options.js';
import { EventStreams, KeepAlive } from './event-stream.js';
import { McpEndpoint } from './mcp-endpoint.js';
import { memoryStorage } from './memory-storage.js';
import { sendError, UnreadBytes } from './responses.js';
import type { EndpointStorage, SessionRecord } from './storage.js';

/** An endpoint on a loopback port, whose tools exercise the difficult cases of a transport. */
export interface TestEndpoint {
  url: string;
  endpoint: McpEndpoint;
  storage: EndpointStorage;
  /** The tasks, keyed by `client:id`. */
  tasks: Map<string, object>;
  /** Names of the calls whose signal was aborted. */
  aborted: string[];
  /** The errors of the storage and of the endpoint itself. */
  failures: unknown[];
  /** Returns how many requests were served. */
  requests(): number;
  /** Returns how many responses are finished, or their connections closed. */
  closed(): number;
  /** Lets the calls of `wait` finish. */
  release(): void;
  /** POSTs a body as a client that accepts JSON and streams; a string is sent unchanged. */
  post(body: unknown, headers?: Headers, signal?: AbortSignal): Promise<Response>;
  /** POSTs a 2026-07-28 request, with the headers that it requires. */
  postStateless(request: Request, headers?: Headers, signal?: AbortSignal): Promise<Response>;
  stop(): Promise<void>;
}

type Headers = Record<string, string>;

interface Request {
  method: string;
  params: object;
}

interface TestOptions {
  storage?: EndpointStorage;
  timing?: Partial<EndpointTiming>;
  limits?: Partial<EndpointLimits>;
}

export const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Limits that tests reach only on purpose. */
export const ROOMY_LIMITS: EndpointLimits = {
  maxBodyBytes: 10_000,
  sessionIdleMs: 60_000,
  allowedOrigins: ['http://localhost'],
  allowedHosts: [],
  maxJsonDepth: 64,
  maxJsonValues: 100_000,
  maxArguments: 1_000,
  maxIncomingBytes: 1_000_000,
  maxBatchEntries: 100,
  maxInitializeBytes: 5_000,
  maxIdLength: 100,
  maxUriLength: 200,
  maxSessions: 1_000,
  maxSessionsPerKey: 1_000,
  maxStreams: 100,
  maxStreamsPerKey: 100,
  maxSubscriptions: 100,
  maxSubscriptionBytes: 10_000,
  maxCalls: 100,
  maxCallsPerKey: 100,
  maxPipelinedRequests: 10,
  maxUnreadBytes: 10_000_000,
  maxUnreadBytesPerConnection: 1_000_000,
  unreadTimeoutMs: 5_000,
  maxResultBytes: 100_000,
};

export async function startEndpoint({
  storage = memoryStorage(),
  timing,
  limits,
}: TestOptions = {}): Promise<TestEndpoint> {
  const aborted: string[] = [];
  const failures: unknown[] = [];
  const tasks = new Map<string, object>();
  let requests = 0;
  const waiting = new Set<() => void>();
  const endpoint = new McpEndpoint<Caller>({
    protocol: {
      serverInfo: { name: 'test', version: '1.0.0' },
      serverOptions: {
        capabilities: { tools: { listChanged: true }, resources: { subscribe: true, listChanged: true }, logging: {} },
      },
      register: (server, subscriptions) => {
        registerTools(server, { aborted, waiting });
        registerResources(server, subscriptions);
      },
      headerParameters: (name) => (name === 'region' ? [{ header: 'Mcp-Param-Region', path: ['region'] }] : []),
      mayWatch: (_caller, uri) => !uri.startsWith('secret:'),
      canonicalUri: (uri) => uri.toLowerCase(),
      tasks: { find: async (caller, taskId) => tasks.get(`${caller.name}:${taskId}`) ?? null },
    },
    storage,
    limits: () => ({ ...ROOMY_LIMITS, ...limits }),
    onRequest: () => (requests += 1),
    onError: () => {},
    onStorageError: (error) => void failures.push(error),
    timing: { keepAliveMs: 50, drainMs: 100, lingerMs: 10, ...timing },
  });
  await endpoint.start();
  let closed = 0;
  const server = createServer((req, res) => {
    res.on('close', () => (closed += 1));
    const refusal = endpoint.refusal(req, res);
    if (refusal) return sendError(res, refusal);
    const caller = { name: String(req.headers['x-client'] ?? 'alice') };
    endpoint.handle(req, res, caller).catch((error: unknown) => {
      failures.push(error);
      sendError(res, { httpStatus: 500, code: -32603, message: String(error) });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  const post: TestEndpoint['post'] = (body, headers, signal) =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      signal: signal ?? null,
    });
  return {
    url,
    endpoint,
    storage,
    tasks,
    aborted,
    failures,
    requests: () => requests,
    closed: () => closed,
    release: () => waiting.forEach((finish) => finish()),
    post,
    postStateless: (request, headers, signal) => {
      const params = request.params as Record<string, unknown>;
      const name = params['name'] ?? params['uri'];
      const required = {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': request.method,
        ...(typeof name === 'string' && { 'mcp-name': name }),
      };
      const _meta = { ...META, ...(params['_meta'] as object | undefined) };
      return post({ ...request, params: { ...params, _meta } }, { ...required, ...headers }, signal);
    },
    stop: () => stop(endpoint, server),
  };
}

export const rpc = (method: string, params: object = {}, id: string | number = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});

export const callOf = (name: string, args: object = {}, id: string | number = 1) =>
  rpc('tools/call', { name, arguments: args }, id);

/** Opens a 2025-era session; returns the headers that name it. */
export async function openSession(
  { post }: Pick<TestEndpoint, 'post'>,
  protocolVersion = '2025-11-25',
  { capabilities = {}, headers = {} }: { capabilities?: object | undefined; headers?: Headers | undefined } = {},
): Promise<Headers & { 'mcp-session-id': string }> {
  const params = { protocolVersion, capabilities, clientInfo: { name: 'test', version: '1' } };
  const res = await post(rpc('initialize', params), headers);
  await res.text();
  return { 'mcp-session-id': res.headers.get('mcp-session-id') ?? '', ...headers };
}

async function stop(endpoint: McpEndpoint, server: HttpServer): Promise<void> {
  await endpoint.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

interface Calls {
  aborted: string[];
  waiting: Set<() => void>;
}

function registerTools(server: Server, calls: Calls): void {
  server.setRequestHandler('tools/list', () => ({ tools: [] }));
  server.setRequestHandler('tools/call', async ({ params }, ctx) => {
    const content = await runTool(params.name, params.arguments ?? {}, ctx, calls);
    return { content: [{ type: 'text', text: content }] };
  });
}

function registerResources(server: Server, subscriptions: ResourceSubscriptions | null): void {
  if (!subscriptions) return;
  server.setRequestHandler('resources/subscribe', async ({ params: { uri } }) => {
    await subscriptions.add(uri);
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', async ({ params: { uri } }) => {
    await subscriptions.remove(uri);
    return {};
  });
}

async function runTool(name: string, args: Record<string, unknown>, ctx: ServerContext, calls: Calls): Promise<string> {
  switch (name) {
    case 'wait':
      return waitForRelease(typeof args['label'] === 'string' ? args['label'] : name, ctx, calls);
    case 'progress':
      await ctx.mcpReq.notify({ method: 'notifications/progress', params: { progressToken: 1, progress: 1 } });
      return waitForRelease(name, ctx, calls);
    case 'detach':
      ctx.http?.closeSSE?.();
      return waitForRelease(name, ctx, calls);
    case 'ask': {
      const question = { message: 'Name?', requestedSchema: { type: 'object' as const, properties: {} } };
      const { id, signal } = ctx.mcpReq;
      const answer = await ctx.mcpReq.elicitInput(question, args['aside'] ? {} : { relatedRequestId: id, signal });
      return answer.action;
    }
    case 'large':
      return 'x'.repeat(Number(args['length']));
    case 'log':
      await ctx.mcpReq.log('info', 'said');
      return 'logged';
    default:
      return JSON.stringify(args);
  }
}

function waitForRelease(label: string, ctx: ServerContext, { aborted, waiting }: Calls): Promise<string> {
  return new Promise((resolve) => {
    const finish = () => resolve(`${label} done`);
    waiting.add(finish);
    ctx.mcpReq.signal.addEventListener('abort', () => {
      aborted.push(label);
      finish();
    });
  });
}

/** Returns the host's part of an endpoint, for tests of one of its components. */
export function hostWith(
  options: Partial<EndpointOptions<Caller>> = {},
  protocol: Partial<EndpointProtocol<Caller>> = {},
): EndpointOptions<Caller> {
  return {
    protocol: {
      serverInfo: { name: 'test', version: '1.0.0' },
      serverOptions: {},
      register: () => {},
      headerParameters: () => [],
      mayWatch: () => true,
      canonicalUri: (uri) => uri,
      tasks: null,
      ...protocol,
    },
    storage: memoryStorage(),
    limits: () => ROOMY_LIMITS,
    onError: () => {},
    onStorageError: () => {},
    ...options,
  };
}

/** Returns the streams of an endpoint. Their connections are kept alive by the `beats`, which no timer calls. */
export function eventStreams(limits: () => EndpointLimits = () => ROOMY_LIMITS) {
  const beats = new Set<() => void>();
  const keepAlive = new KeepAlive(DEFAULT_TIMING.keepAliveMs);
  keepAlive.stop();
  keepAlive.add = (beat) => {
    beats.add(beat);
    return () => void beats.delete(beat);
  };
  const unread = new UnreadBytes(limits, DEFAULT_TIMING.slowestBytesPerMs);
  return { events: new EventStreams(keepAlive, unread), unread, beats };
}

/** Returns a session of alice as it is stored. */
export const storedSession = (changes: Partial<SessionRecord> = {}): SessionRecord => ({
  id: 'session',
  client: 'alice',
  key: null,
  protocolVersion: '2025-11-25',
  initialize: {},
  logLevel: null,
  subscriptions: [],
  eventSeq: 0,
  answered: { after: 0, upTo: 0 },
  openStream: null,
  lastSeenAt: new Date(),
  ...changes,
});

/** Wraps each method of the object with `work`, which gets the method's name. */
export function around<T extends object>(
  object: T,
  work: (method: string, call: () => Promise<unknown>) => Promise<unknown>,
): T {
  return new Proxy(object, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return (...args: unknown[]) =>
        work(String(name), async (): Promise<unknown> => Reflect.apply(method, target, args) as Promise<unknown>);
    },
  });
}

/** Limit for hung tests only: a busy machine takes several times as long. */
const PATIENCE_MS = 60_000;

/** Waits for a condition. @throws when it is not met in time */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`still not so: ${condition.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

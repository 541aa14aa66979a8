import type { ClientCapabilities, Implementation, Server, ServerOptions } from '@modelcontextprotocol/server';
import type { Caller, Program, RequestSource } from './caller.js';
import type { OnExceeded } from './exceeded-limit.js';
import type { HeaderParameter } from './request-headers.js';
import type { EndpointStorage } from './storage.js';

export interface ResourceSubscriptions {
  /** Resolves when it is saved. @throws ProtocolError when the session has reached its limit */
  add(uri: string): Promise<void>;
  /** Resolves when it is saved. */
  remove(uri: string): Promise<void>;
}

/** The MCP server, independent of the transport: the same for both eras. */
export interface EndpointProtocol<C extends Caller> {
  readonly serverInfo: Implementation;
  /** Capabilities, instructions, cache hints, verification of `requestState`. */
  readonly serverOptions: ServerOptions;
  /** Returns the instructions for one caller; without it, all get those of `serverOptions`. Must be fast. */
  instructionsFor?(caller: C): string;
  /**
   * Registers the request handlers on the server of 2026-07-28, or on that of a session. In a session, each method that the SDK
   * does not handle itself is registered on first use: a handler costs memory, and most clients use few of them.
   * @param subscriptions the resources that the session watches; null for 2026-07-28, where clients send `subscriptions/listen`,
   * which the endpoint serves
   * @param method the method that a session needs; others need not be registered
   */
  register(server: Server, subscriptions: ResourceSubscriptions | null, method?: string): void;
  /** Returns the `x-mcp-header` parameters of a tool's input schema. */
  headerParameters(toolName: string): readonly HeaderParameter[];
  /** Returns whether this caller may be notified of changes to the resource. */
  mayWatch(caller: C, uri: string): boolean;
  /**
   * Returns the canonical URI of a resource: the same for all spellings of its URI, and for all views that change with it.
   * Watchers of any of them are notified when any of them changes. Must be fast.
   */
  canonicalUri(uri: string): string;
  /** The tasks that clients of 2026-07-28 may follow; null when the server has none. */
  readonly tasks: TaskSource<C> | null;
}

/** Work that continues after the response to the call that started it. */
export interface TaskSource<C extends Caller> {
  /**
   * Returns the whole task, in the form of `tasks/get` for a client with these capabilities; null when this caller has no such
   * task.
   */
  find(caller: C, taskId: string, capabilities: ClientCapabilities): Promise<object | null>;
}

/** The limits of one client; null = the limit for every key applies. */
export interface ClientQuota {
  readonly calls: number | null;
  readonly streams: number | null;
  readonly sessions: number | null;
}

export interface EndpointOptions<C extends Caller> {
  protocol: EndpointProtocol<C>;
  storage: EndpointStorage;
  limits(): EndpointLimits;
  /** Returns a client's own limits; without it, no client has any. Must be fast. */
  quotaOf?: (client: string) => ClientQuota;
  /** Returns the result size limit of a tool that has its own, which its results already fit; else null. Must be fast. */
  resultLimitOf?: (tool: string) => number | null;
  /** Returns the caller for the handlers, extended by what the endpoint knows about the request. Must be fast. */
  identify?: (caller: C, source: RequestSource) => C;
  /** Called for each request served, with the program that sent it. Must be fast. */
  onRequest?: (caller: C, program: Program) => void;
  /** Called for each request refused because its client, or all clients together, have too much open. Must be fast. */
  onExceeded?: OnExceeded;
  onError: (error: Error) => void;
  /** Called when the storage fails. The endpoint continues; data that could not be saved may be missing later. */
  onStorageError: (error: unknown) => void;
  timing?: Partial<EndpointTiming>;
}

/** Limits that may change while the endpoint runs: they are read for each request. */
export interface EndpointLimits extends FixedLimits {
  maxBodyBytes: number;
  sessionIdleMs: number;
  allowedOrigins: readonly string[];
  /** Host names accepted besides loopback. Null = every Host is accepted, because the service is on the network. */
  allowedHosts: readonly string[] | null;
  maxSessions: number;
  maxSessionsPerKey: number;
  maxStreams: number;
  maxStreamsPerKey: number;
  maxCalls: number;
  maxCallsPerKey: number;
  maxResultBytes: number;
}

/** Limits that a deployment has no reason to change. */
interface FixedLimits {
  maxJsonDepth: number;
  /** In a body, arrays and objects included: processing very many blocks the process. */
  maxJsonValues: number;
  /** Members of `params`, and of its `arguments` and `_meta`. */
  maxArguments: number;
  /** Of all request bodies together, while they are being processed. */
  maxIncomingBytes: number;
  maxBatchEntries: number;
  /** Of the params of `initialize`, which are stored with the session. */
  maxInitializeBytes: number;
  /** Of JSON-RPC ids, method and tool names, progress tokens. */
  maxIdLength: number;
  /** Of URIs and cursors. */
  maxUriLength: number;
  /** How many URIs one session or stream may watch, and their total length. */
  maxSubscriptions: number;
  maxSubscriptionBytes: number;
  /** How many requests may wait on one connection until earlier responses are written. */
  maxPipelinedRequests: number;
  maxUnreadBytes: number;
  maxUnreadBytesPerConnection: number;
  /** How long a response may stay unread, in addition to the time that its size takes. */
  unreadTimeoutMs: number;
}

export const FIXED_LIMITS: FixedLimits = {
  maxJsonDepth: 64,
  maxJsonValues: 50_000,
  maxArguments: 1_000,
  maxIncomingBytes: 64 * 1024 * 1024,
  maxBatchEntries: 100,
  maxInitializeBytes: 16 * 1024,
  maxIdLength: 256,
  maxUriLength: 2048,
  maxSubscriptions: 1_000,
  maxSubscriptionBytes: 64 * 1024,
  maxPipelinedRequests: 32,
  maxUnreadBytes: 128 * 1024 * 1024,
  maxUnreadBytesPerConnection: 4 * 1024 * 1024,
  unreadTimeoutMs: 30_000,
};

export interface EndpointTiming {
  /** A call that runs longer gets its headers and keep-alives early, so that no proxy times out. */
  slowAfterMs: number;
  /** How long a resumable call continues after its connection broke. */
  resumeWithinMs: number;
  /** The `retry` value for a client whose call released its connection. */
  retryMs: number;
  /** How often a process polls for what another one wrote to a response stream that a client follows here. */
  followEveryMs: number;
  /** How long a process assumes that another one has the session's stream, before it checks again. */
  checkElsewhereEveryMs: number;
  /**
   * The minimum `retry` value for streams that end or break. Each stream gets up to half as much more, so that clients do not all
   * reconnect at once.
   */
  streamRetryMs: number;
  /** How long to wait for a message to be recorded for a resumable stream; after that it is sent unrecorded. */
  journalWithinMs: number;
  /** How long a resuming client waits for its missed messages to be read; after that it is asked to reconnect later. */
  readWithinMs: number;
  keepAliveMs: number;
  /** How long an unused session stays in memory; after that it exists only as a row. */
  warmMs: number;
  /** How many sessions may be in memory. Beyond that, the least recently used one is evicted. */
  mostWarm: number;
  /** How long in-flight calls may continue when the endpoint closes. */
  drainMs: number;
  /** How long no request may arrive before the endpoint closes. */
  lingerMs: number;
  /** A client must read responses at least this fast, after `unreadTimeoutMs`. */
  slowestBytesPerMs: number;
}

export const DEFAULT_TIMING: EndpointTiming = {
  slowAfterMs: 5_000,
  // Longer than two reconnects, each after the longest `streamRetryMs` that a client may have received.
  resumeWithinMs: 35_000,
  retryMs: 1_000,
  followEveryMs: 250,
  checkElsewhereEveryMs: 1_000,
  // Clients made with the TypeScript SDK reconnect only twice: they find a service that was away for up to 20 s.
  streamRetryMs: 10_000,
  journalWithinMs: 500,
  readWithinMs: 5_000,
  keepAliveMs: 15_000,
  warmMs: 60_000,
  mostWarm: 5_000,
  drainMs: 8_000,
  lingerMs: 300,
  slowestBytesPerMs: 64,
};

/**
 * The versions of the 2025 era, and the one before it, which older clients use over Streamable HTTP, too. The first is offered to
 * clients that request an unknown version.
 */
export const SESSION_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
/** From this version on, clients accept events without data, reconnect to streams that end, and may resume a response. */
export const RESUMABLE_SINCE = '2025-11-25';
export const STATELESS_VERSION = '2026-07-28';

import type { Implementation, Server, ServerOptions } from '@modelcontextprotocol/server';
import type { Caller, Program, RequestSource } from './caller.js';
import type { HeaderParameter } from './request-headers.js';
import type { EndpointStorage } from './storage.js';

/** The resources that a session watches. */
export interface ResourceSubscriptions {
  /** Resolves when it is saved. @throws ProtocolError when the session watches as many as it may */
  add(uri: string): Promise<void>;
  /** Resolves when it is saved. */
  remove(uri: string): Promise<void>;
}

/** The MCP server as its clients see it, whatever the transport: the same for both eras. */
export interface EndpointProtocol<C extends Caller> {
  readonly serverInfo: Implementation;
  /** Capabilities, instructions, cache hints, verification of `requestState`. */
  readonly serverOptions: ServerOptions;
  /** Returns the instructions for one caller; without it, all get those of `serverOptions`. It must be quick. */
  instructionsFor?(caller: C): string;
  /**
   * Registers the request handlers at the server of 2026-07-28, or at that of a session. In a session, each method that the
   * SDK does not handle itself is asked for when it comes first: a handler costs memory, and most clients use few of them.
   * @param subscriptions the resources that the session watches; null for 2026-07-28, where clients send
   * `subscriptions/listen`, which the endpoint serves
   * @param method the method that a session needs; others need not be registered
   */
  register(server: Server, subscriptions: ResourceSubscriptions | null, method?: string): void;
  /** Returns the `x-mcp-header` parameters of a tool's input schema. */
  headerParameters(toolName: string): readonly HeaderParameter[];
  /** Returns whether this caller may be told of changes to the resource. */
  mayWatch(caller: C, uri: string): boolean;
  /**
   * Returns the URI by which a resource is known: the same for all ways to write its URI, and for all views that change with
   * it. Who watches one of them is told when any of them is reported to have changed. It must be quick.
   */
  canonicalUri(uri: string): string;
  /** The tasks that clients of 2026-07-28 may follow; null when the server has none. */
  readonly tasks: TaskSource<C> | null;
}

/** The work that continues after the answer to the call that began it. */
export interface TaskSource<C extends Caller> {
  /** Returns the whole task, as `tasks/get` has it; null when this caller has no such task. */
  find(caller: C, taskId: string): Promise<object | null>;
}

/** What one client may have at once; null = as much as every key. */
export interface ClientQuota {
  readonly calls: number | null;
  readonly streams: number | null;
  readonly sessions: number | null;
}

export interface EndpointOptions<C extends Caller> {
  protocol: EndpointProtocol<C>;
  storage: EndpointStorage;
  limits(): EndpointLimits;
  /** Returns the limits that a client has of its own; without it, no client has any. It must be quick. */
  quotaOf?: (client: string) => ClientQuota;
  /**
   * Returns how large the results of a tool may be when it has a limit of its own, which its results fit already; else null.
   * It must be quick.
   */
  resultLimitOf?: (tool: string) => number | null;
  /** Returns the caller as handlers see it: with what the endpoint found out about the request. It must be quick. */
  identify?: (caller: C, source: RequestSource) => C;
  /** Is told of each request that is served and of the program that sent it. It must be quick. */
  onRequest?: (caller: C, program: Program) => void;
  onError: (error: Error) => void;
  /** Is told when the storage failed. The endpoint continues; what could not be kept may be missing later. */
  onStorageError: (error: unknown) => void;
  timing?: Partial<EndpointTiming>;
}

/** What may change while the endpoint runs: it is read again for each request. */
export interface EndpointLimits extends FixedLimits {
  maxBodyBytes: number;
  sessionIdleMs: number;
  allowedOrigins: readonly string[];
  /** Host names that are accepted besides loopback. Null: every Host is accepted, because the service is on the network. */
  allowedHosts: readonly string[] | null;
  maxSessions: number;
  maxSessionsPerKey: number;
  maxStreams: number;
  maxStreamsPerKey: number;
  maxCalls: number;
  maxCallsPerKey: number;
  maxResultBytes: number;
}

/** Limits that one deployment has no reason to change. */
interface FixedLimits {
  maxJsonDepth: number;
  /** In a body, arrays and objects included: what is done with each of many holds the process. */
  maxJsonValues: number;
  /** Members of `params`, and of `arguments` and `_meta` in it. */
  maxArguments: number;
  /** Of the bodies of all requests together, while they are served. */
  maxIncomingBytes: number;
  maxBatchEntries: number;
  /** Of the params of `initialize`, which a session keeps. */
  maxInitializeBytes: number;
  /** Of JSON-RPC ids, of the names of methods and tools, of progress tokens. */
  maxIdLength: number;
  /** Of URIs and cursors. */
  maxUriLength: number;
  /** How many URIs one session or stream may watch, and how long they may be together. */
  maxSubscriptions: number;
  maxSubscriptionBytes: number;
  /** How many requests may wait on one connection until the answers to those before are written. */
  maxPipelinedRequests: number;
  maxUnreadBytes: number;
  maxUnreadBytesPerConnection: number;
  /** How long an answer may stay unread, in addition to the time that its size takes. */
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
  /** A call that runs longer gets its headers and keep-alives, so that no proxy gives up on it. */
  slowAfterMs: number;
  /** How long a call continues after its connection broke, when the client may resume it. */
  resumeWithinMs: number;
  /** How long a client is told to wait before it comes back for the answer of a call that let go of its connection. */
  retryMs: number;
  /** How often a process looks for what another one wrote to a response stream that a client follows here. */
  followEveryMs: number;
  /** How long a process that answers believes that another one has the stream of the session, before it looks again. */
  lookElsewhereEveryMs: number;
  /**
   * How long a client is told to wait, at least, before it opens a stream again that ended or broke. Each stream is told up to
   * half as long again, so that not all come back at once.
   */
  streamRetryMs: number;
  /** How long a message waits until it is recorded for a client that may resume; then it is sent unrecorded. */
  journalWithinMs: number;
  /** How long a client that resumes waits until what it missed is read; then it is told to come back. */
  readWithinMs: number;
  keepAliveMs: number;
  /** How long an unused session stays in memory; after that it is only a row. */
  warmMs: number;
  /** How many sessions may be in memory. Beyond that, the one goes that was unused for longest. */
  mostWarm: number;
  /** How long calls in flight may continue when the endpoint closes. */
  drainMs: number;
  /** How long nothing may have come before it is closed. */
  lingerMs: number;
  /** A client must read answers at least this fast, after `unreadTimeoutMs`. */
  slowestBytesPerMs: number;
}

export const DEFAULT_TIMING: EndpointTiming = {
  slowAfterMs: 5_000,
  // Longer than two tries, each after the longest `streamRetryMs` that a client may have been told.
  resumeWithinMs: 35_000,
  retryMs: 1_000,
  followEveryMs: 250,
  lookElsewhereEveryMs: 1_000,
  // Clients made with the TypeScript SDK try twice, and then never again: they find a service that was away for up to 20 s.
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
 * The versions of the 2025 era, and the one before it, which older clients speak over Streamable HTTP, too. The first is
 * offered to clients that ask for an unknown one.
 */
export const SESSION_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
/** From this version on, clients understand events without data, come back to streams that end, and may resume a response. */
export const RESUMABLE_SINCE = '2025-11-25';
export const STATELESS_VERSION = '2026-07-28';

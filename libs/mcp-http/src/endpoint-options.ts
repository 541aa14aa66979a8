import type { Implementation, Server, ServerOptions } from '@modelcontextprotocol/server';
import type { Caller, Program } from './caller.js';
import type { HeaderParameter } from './mcp-headers.js';
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
  /**
   * Registers the request handlers: once for the server of 2026-07-28, and once for each session, with what it watches.
   * Null: clients of this era watch by `subscriptions/listen`, which the endpoint serves.
   */
  register(server: Server, subscriptions: ResourceSubscriptions | null): void;
  /** Returns the `x-mcp-header` parameters of a tool's input schema. */
  headerParameters(toolName: string): readonly HeaderParameter[];
  /** Returns whether this caller may be told of changes to the resource. */
  mayWatch(caller: C, uri: string): boolean;
}

export interface EndpointOptions<C extends Caller> {
  protocol: EndpointProtocol<C>;
  storage: EndpointStorage;
  limits(): EndpointLimits;
  /** Is told of each request that is served, and which program sent it; must be quick. */
  onRequest?: (caller: C, program: Program) => void;
  onError: (error: Error) => void;
  /** Is told when the storage failed and the endpoint goes on without: what it would have kept may be missing later. */
  onStorageError: (error: unknown) => void;
  timing?: Partial<EndpointTiming>;
}

/** What may change while the endpoint runs: it is read again for each request. */
export interface EndpointLimits {
  maxBodyBytes: number;
  sessionIdleMs: number;
  allowedOrigins: readonly string[];
  /** Host names that are accepted besides loopback. Null: every Host is accepted, because the service is on the network. */
  allowedHosts: readonly string[] | null;
  maxJsonDepth: number;
  /** Of the bodies of all requests that are being served. */
  maxIncomingBytes: number;
  maxBatchEntries: number;
  /** Of the params of `initialize`, which a session keeps. */
  maxInitializeBytes: number;
  /** Of JSON-RPC ids, of the names of methods and tools, of progress tokens. */
  maxIdLength: number;
  /** Of URIs and cursors. */
  maxUriLength: number;
  maxSessions: number;
  maxSessionsPerKey: number;
  maxStreams: number;
  maxStreamsPerKey: number;
  /** URIs that one session or one stream may watch, and their length together. */
  maxSubscriptions: number;
  maxSubscriptionBytes: number;
  maxCalls: number;
  maxCallsPerKey: number;
  /** How many requests may wait on one connection until the answers to those before are written. */
  maxPipelinedRequests: number;
  maxUnreadBytes: number;
  maxUnreadBytesPerConnection: number;
  /** How long an answer may stay unread, in addition to the time that its size takes. */
  unreadTimeoutMs: number;
  maxResultBytes: number;
}

export interface EndpointTiming {
  /** A call that runs longer gets its headers and keep-alives, so that no proxy gives up on it. */
  slowAfterMs: number;
  /** How long a call goes on after its connection broke, when the client may resume it. */
  resumeWithinMs: number;
  /** How long a client is told to wait before it resumes. */
  retryMs: number;
  /** How long a message waits to be recorded for a client that may resume; then it is sent without. */
  journalWithinMs: number;
  keepAliveMs: number;
  /** How long a session that nobody uses stays in memory; after that it is only a row. */
  warmMs: number;
  /** How long calls in flight may go on when the endpoint closes. */
  drainMs: number;
  /** Answers must be taken at least this fast, beyond `unreadTimeoutMs`. */
  slowestBytesPerMs: number;
}

export const DEFAULT_TIMING: EndpointTiming = {
  slowAfterMs: 5_000,
  resumeWithinMs: 10_000,
  retryMs: 1_000,
  journalWithinMs: 500,
  keepAliveMs: 15_000,
  warmMs: 60_000,
  drainMs: 8_000,
  slowestBytesPerMs: 64,
};

/** 2025-era versions, the one offered by default first. */
export const SESSION_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26'];
export const STATELESS_VERSION = '2026-07-28';

/** What may change while the endpoint runs; read anew for each request. */
export interface EndpointLimits {
  maxBodyBytes: number;
  sessionIdleMs: number;
  allowedOrigins: readonly string[];
  /** Host names accepted besides loopback. Null: every Host is accepted (the service listens on the network). */
  allowedHosts: readonly string[] | null;
  maxJsonDepth: number;
  /** What the bodies of all requests may hold at once. */
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
  /** Requests that may wait on one connection until the answers before are written. */
  maxPipelinedRequests: number;
  maxUnreadBytes: number;
  maxUnreadBytesPerConnection: number;
  /** How long an answer may stay unread, beside the time that its size takes. */
  unreadTimeoutMs: number;
  maxResultBytes: number;
}

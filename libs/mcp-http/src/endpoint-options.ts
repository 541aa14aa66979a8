import type { Implementation, Server, ServerOptions } from '@modelcontextprotocol/server';
import type { Caller, Program } from './caller.js';
import type { EndpointLimits } from './endpoint-limits.js';
import type { ExchangeTiming } from './exchange.js';
import type { HeaderParameter } from './mcp-headers.js';
import type { EndpointStorage } from './storage.js';

export interface EndpointOptions<C extends Caller> {
  serverInfo: Implementation;
  /** Capabilities, instructions, cache hints, `requestState` verification: the same for both eras. */
  serverOptions: ServerOptions;
  /** Registers the request handlers; called once for the 2026-07-28 server and once for each session. */
  register(server: Server): void;
  storage: EndpointStorage;
  limits(): EndpointLimits;
  /** Whether this caller may be told of changes to the resource. @throws ProtocolError to say why not */
  assertMayWatch(caller: C, uri: string): Promise<void>;
  /** The `x-mcp-header` parameters of a tool's input schema. */
  headerParameters(toolName: string): readonly HeaderParameter[];
  /** Told of each request that is served, and which program sent it; must be quick. */
  onRequest?: (caller: C, program: Program) => void;
  onError: (error: Error) => void;
  /** Told when the storage failed and the endpoint goes on without: what it would have kept may be missing later. */
  onStorageError: (error: unknown) => void;
  timing?: Partial<EndpointTiming>;
}

export interface EndpointTiming extends ExchangeTiming {
  keepAliveMs: number;
  /** How long a session that nobody uses stays in memory; afterwards it is only a row. */
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

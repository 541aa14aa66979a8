import type { Changes } from '#mcp-http';
import type { LogLevel } from '#skill-kit';

/** A session as lists show it. */
export interface SessionSummary {
  id: string;
  /** Name of the client that owns it. */
  client: string;
  /** What is shown of the key that opened it, and that alone may use it; null = `mcp.api_key`. */
  key: string | null;
  protocolVersion: string;
  /** Name that the connected program gives itself. */
  clientName: string | null;
  clientVersion: string | null;
  createdAt: Date;
  lastSeenAt: Date;
}

/**
 * A 2025-era MCP session. It is stored in the database, so that any replica can serve it and a restart does not end it.
 */
export interface Session extends SessionSummary {
  /** The parameters of its `initialize` request. */
  initialize: object;
  logLevel: LogLevel | null;
  /** URIs of the resources it subscribed to. */
  subscriptions: string[];
  /** The last number in `mcp_events` that the session has been told of. */
  eventSeq: number;
  /** Those that were told with answers since a stream told one. */
  answered: Changes;
  /** Name of its GET stream; null = none is open, or it does not matter which replica has it. */
  openStream: string | null;
}

/** A session that begins. The name of its program is taken from `initialize`, and it is created when it is first seen. */
export type NewSession = Omit<Session, 'clientName' | 'clientVersion' | 'createdAt' | 'answered' | 'openStream'>;

import type { Changes } from '#mcp-http';
import type { LogLevel } from '#skill-kit';

export interface SessionSummary {
  id: string;
  /** Name of the client that owns it. */
  client: string;
  /** The displayed part of the key that opened it; only this key may use it. null = `mcp.api_key`. */
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
  /** URIs of the subscribed resources. */
  subscriptions: string[];
  /** The number in `mcp_events` of the last change that was sent to the session. */
  eventSeq: number;
  /** The changes that were sent with answers since a stream last sent one. */
  answered: Changes;
  /** Name of its GET stream; null = none is open, or its replica does not matter. */
  openStream: string | null;
}

/** A new session. The store takes the name of its program from `initialize`, and its creation time from its first use. */
export type NewSession = Omit<Session, 'clientName' | 'clientVersion' | 'createdAt' | 'answered' | 'openStream'>;

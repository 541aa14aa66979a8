import type { LogLevel } from '#skill-kit';

/** What a list of sessions shows. */
export interface SessionSummary {
  id: string;
  /** Name of the client that owns it. */
  client: string;
  protocolVersion: string;
  /** What the connected program calls itself. */
  clientName: string | null;
  clientVersion: string | null;
  createdAt: Date;
  lastSeenAt: Date;
}

/** A 2025-era MCP session. It lives in the database, so any replica serves it and a restart does not end it. */
export interface Session extends SessionSummary {
  /** The parameters of its `initialize` request. */
  initialize: object;
  logLevel: LogLevel | null;
  /** URIs of the resources it subscribed to. */
  subscriptions: string[];
  /** Up to where in `mcp_events` it has been told. */
  eventSeq: number;
}

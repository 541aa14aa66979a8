import type { LoggingLevel, RequestId } from '@modelcontextprotocol/server';
import type { ChangeEvent, LoggedChange } from './change.js';

/** A 2025-era session: all that is needed to go on with it in another process, or after a restart. */
export interface SessionRecord {
  id: string;
  /** Name of the client that opened it; no other may use it. */
  client: string;
  protocolVersion: string;
  /** The params of its `initialize`, to bring its protocol server back. */
  initialize: object;
  logLevel: LoggingLevel | null; // null = never set
  /** URIs of `resources/subscribe`. */
  subscriptions: string[];
  /** The last change event that it was told of, or that came before it; what came later is told to its next stream. */
  eventSeq: number;
  lastSeenAt: Date;
}

/** Changes to a session that has ended meanwhile do nothing. */
export interface SessionStorage {
  find(id: string): Promise<SessionRecord | undefined>;
  create(record: SessionRecord): Promise<void>;
  touch(id: string, at: Date): Promise<void>;
  saveLogLevel(id: string, logLevel: LoggingLevel): Promise<void>;
  saveSubscriptions(id: string, subscriptions: string[]): Promise<void>;
  saveEventSeq(id: string, eventSeq: number): Promise<void>;
  delete(id: string): Promise<unknown>;
  /** How many a client has; null: all clients together. */
  count(client: string | null): Promise<number>;
  /** Ends up to `limit` of those not seen since `before`, the longest unused first. Returns how many. */
  deleteUnused(unused: { client: string | null; before: Date; limit: number }): Promise<number>;
}

/** The recent changes in order, so that a GET stream can be resumed where it was cut. */
export interface ChangeLog {
  /** All of them, or none. Returns the sequence number of the last one, greater than all before. */
  append(...events: ChangeEvent[]): Promise<number>;
  latest(): Promise<number>;
  /** What came after `seq`, oldest first. Null: the log does not reach back that far. */
  after(seq: number): Promise<LoggedChange[] | null>;
}

export interface JournaledStream {
  sessionId: string;
  requestIds: RequestId[];
  finished: boolean;
}

/** The messages of response streams that a client may resume (protocol version 2025-11-25). */
export interface StreamJournal {
  open(streamId: string, stream: { sessionId: string; requestIds: RequestId[] }): Promise<void>;
  append(streamId: string, seq: number, message: string): Promise<void>;
  finish(streamId: string): Promise<void>;
  find(streamId: string): Promise<JournaledStream | null>;
  after(streamId: string, seq: number): Promise<{ seq: number; message: string }[]>;
}

export interface EndpointStorage {
  sessions: SessionStorage;
  changes: ChangeLog;
  journal: StreamJournal;
}

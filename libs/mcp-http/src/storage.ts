import type { LoggingLevel, RequestId } from '@modelcontextprotocol/server';
import type { ChangeEvent, LoggedChange } from './change.js';
import type { Relay } from './relay.js';

/** What the client of a session was told of. */
export interface Told {
  /** Number of the last change that its client knows of. Later changes are told on its next stream, or with an answer. */
  eventSeq: number;
  /** The changes that were told with answers since a stream told one. Streams do not repeat them, wherever they go on from. */
  answered: Changes;
}

/** The changes after one number, up to another. */
export interface Changes {
  after: number;
  upTo: number;
}

/** A 2025-era session: all that another process needs to continue with it, or this one after a restart. */
export interface SessionRecord extends Told {
  id: string;
  /** Name of the client that opened it. No other client may use it. */
  client: string;
  /** Which of the client's keys opened it; null when the client has only one. No other key may use it. */
  key: string | null;
  protocolVersion: string;
  /** The params of its `initialize`, with which its protocol server is brought back. */
  initialize: object;
  logLevel: LoggingLevel | null; // null = never set
  /** URIs of `resources/subscribe`. */
  subscriptions: string[];
  /** Name of its GET stream, which says who has it (`processOf`); null = none is open, or it does not matter who has it. */
  openStream: string | null;
  lastSeenAt: Date;
}

/** What was known of a session when it was decided to tell its client with an answer. */
export type ChangesKnown = Pick<SessionRecord, 'eventSeq' | 'openStream'>;

/** Which URIs a session watches from now on, and which no longer. */
export interface SubscriptionsChange {
  added: readonly string[];
  removed: readonly string[];
}

/** The sessions. A change to a session that has ended does nothing. */
export interface SessionStorage {
  find(id: string): Promise<SessionRecord | undefined>;
  /** Returns the sessions that there are of these. */
  listByIds(ids: readonly string[]): Promise<SessionRecord[]>;
  create(record: SessionRecord): Promise<void>;
  touch(id: string, at: Date): Promise<void>;
  saveLogLevel(id: string, logLevel: LoggingLevel): Promise<void>;
  saveSubscriptions(id: string, change: SubscriptionsChange): Promise<void>;
  /** Records which stream the session has from now on. Returns what its client was told; undefined: there is no such session. */
  openStream(id: string, name: string): Promise<Told | undefined>;
  /** Records the last change that a stream told, and that it is no longer open, unless the session has another one. */
  closeStream(id: string, name: string, seq: number): Promise<void>;
  /**
   * Records which changes were told with answers, and that the session has no stream. Returns false, and does neither, when
   * since `known` was read, the client was told of changes, or opened a stream.
   */
  claimChanges(id: string, known: ChangesKnown, answered: Changes): Promise<boolean>;
  delete(id: string): Promise<unknown>;
  /** Returns how many sessions a client has; null: all clients together. */
  count(client: string | null): Promise<number>;
  /** Ends up to `limit` sessions that were not seen since `before`, the longest unused first. Returns how many. */
  deleteUnused(unused: { client: string | null; before: Date; limit: number }): Promise<number>;
}

/** The recent changes in order, so that a GET stream can be resumed where it was cut. */
export interface ChangeLog {
  /** Records all or none. Returns the number of the last one, which is greater than all earlier ones. */
  append(...events: ChangeEvent[]): Promise<number>;
  latest(): Promise<number>;
  /** Returns the changes after `seq`, the oldest first; null when the log does not reach back that far. */
  after(seq: number): Promise<LoggedChange[] | null>;
}

/** Whose stream it is, and who writes it. */
export interface StreamOrigin {
  sessionId: string;
  requestIds: RequestId[];
  /** The process that serves its call (`Relay.process`). */
  process: string;
}

export interface JournaledStream extends StreamOrigin {
  finished: boolean;
}

/**
 * The messages of response streams that a client may resume (protocol version 2025-11-25). It may drop streams that have
 * ended, the longest ago first: clients are told that nothing is known of them.
 */
export interface StreamJournal {
  open(streamId: string, stream: StreamOrigin): Promise<void>;
  append(streamId: string, seq: number, message: string): Promise<void>;
  /** Drops the messages up to number `seq` of a stream that goes on. */
  forget(streamId: string, seq: number): Promise<void>;
  /** @param bytes of the messages that it leaves */
  finish(streamId: string, bytes: number): Promise<void>;
  /** Notes that the connection of its client took all of a stream that has ended, so that hardly anybody asks for it again. */
  deliver(streamId: string): Promise<void>;
  find(streamId: string): Promise<JournaledStream | null>;
  after(streamId: string, seq: number): Promise<{ seq: number; message: string }[]>;
}

export interface EndpointStorage {
  sessions: SessionStorage;
  changes: ChangeLog;
  journal: StreamJournal;
  /** Connects the processes that share the storage; null when this one is alone. */
  relay: Relay | null;
}

/** While a session is used, the time of its last use is written at most this often. */
const TOUCH_EVERY_MS = 60_000;

/** Returns how often the time of the last use is written, when sessions may be unused for `idleMs`. */
export const touchEveryMs = (idleMs: number): number => Math.min(TOUCH_EVERY_MS, idleMs / 4);

/**
 * Returns since when a session must not have been seen to count as unused for `idleMs`. The time of its last use may have
 * been written some time before its last use.
 */
export const unusedSince = (now: Date, idleMs: number): Date => new Date(now.getTime() - idleMs - touchEveryMs(idleMs));

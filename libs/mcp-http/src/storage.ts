import type { LoggingLevel, RequestId } from '@modelcontextprotocol/server';
import type { ChangeEvent, LoggedChange } from './change.js';
import type { Relay } from './relay.js';

/** The changes that the client of a session has received. */
export interface Delivered {
  /** Number of the last change that the client knows of. Later changes go to its next stream, or into a response. */
  eventSeq: number;
  /** The changes sent with responses since a stream last sent one. Streams do not repeat them, wherever they resume. */
  answered: Changes;
}

/** The changes after one number, up to another. */
export interface Changes {
  after: number;
  upTo: number;
}

/** A 2025-era session: everything that another process, or this one after a restart, needs to continue it. */
export interface SessionRecord extends Delivered {
  id: string;
  /** Name of the client that opened it. No other client may use it. */
  client: string;
  /** The client's key that opened it; null when the client has only one. No other key may use it. */
  key: string | null;
  protocolVersion: string;
  /** The params of its `initialize`, from which its protocol server is restored. */
  initialize: object;
  logLevel: LoggingLevel | null; // null = never set
  /** URIs of `resources/subscribe`. */
  subscriptions: string[];
  /** Name of its GET stream, which identifies the owning process (`processOf`); null = none is open, or the owner does not matter. */
  openStream: string | null;
  lastSeenAt: Date;
}

/** The state of a session that a claim on its changes is based on. */
export type ClaimBasis = Pick<SessionRecord, 'eventSeq' | 'openStream'>;

/** The URIs that a session starts and stops watching. */
export interface SubscriptionsChange {
  added: readonly string[];
  removed: readonly string[];
}

/** The sessions. Changes to an ended session are ignored. */
export interface SessionStorage {
  find(id: string): Promise<SessionRecord | undefined>;
  /** Returns the existing sessions among these. */
  listByIds(ids: readonly string[]): Promise<SessionRecord[]>;
  create(record: SessionRecord): Promise<void>;
  touch(id: string, at: Date): Promise<void>;
  saveLogLevel(id: string, logLevel: LoggingLevel): Promise<void>;
  saveSubscriptions(id: string, change: SubscriptionsChange): Promise<void>;
  /** Records the session's new stream. Returns what its client has received; undefined = no such session. */
  openStream(id: string, name: string): Promise<Delivered | undefined>;
  /** Records the last change that a stream sent, and that it is closed, unless the session has a newer stream. */
  closeStream(id: string, name: string, seq: number): Promise<void>;
  /**
   * Claims changes to be sent with a response, and records that the session has no stream. Returns false, and records neither,
   * when the client received changes or opened a stream after `known` was read.
   */
  claimChanges(id: string, known: ClaimBasis, answered: Changes): Promise<boolean>;
  delete(id: string): Promise<unknown>;
  /** Returns how many sessions a client has; null = all clients together. */
  count(client: string | null): Promise<number>;
  /** Ends up to `limit` sessions not seen since `before`, least recently used first. Returns how many. */
  deleteUnused(unused: { client: string | null; before: Date; limit: number }): Promise<number>;
}

/** The recent changes in order, so that a GET stream can resume where it broke. */
export interface ChangeLog {
  /** Records all or none. Returns the number of the last one, which is greater than all earlier ones. */
  append(...events: ChangeEvent[]): Promise<number>;
  latest(): Promise<number>;
  /** Returns the changes after `seq`, oldest first; null when the log does not reach back that far. */
  after(seq: number): Promise<LoggedChange[] | null>;
}

/** The session that a stream belongs to, and the process that writes it. */
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
 * The messages of resumable response streams (protocol version 2025-11-25). The journal may drop ended streams, oldest first:
 * their clients then get an unknown-stream error.
 */
export interface StreamJournal {
  open(streamId: string, stream: StreamOrigin): Promise<void>;
  append(streamId: string, seq: number, message: string): Promise<void>;
  /** Drops the messages up to number `seq` of an open stream. */
  forget(streamId: string, seq: number): Promise<void>;
  /** @param bytes the size of the messages that remain */
  finish(streamId: string, bytes: number): Promise<void>;
  /** Records that the client's connection took the whole ended stream, so that it is unlikely to be requested again. */
  deliver(streamId: string): Promise<void>;
  find(streamId: string): Promise<JournaledStream | null>;
  after(streamId: string, seq: number): Promise<{ seq: number; message: string }[]>;
}

export interface EndpointStorage {
  sessions: SessionStorage;
  changes: ChangeLog;
  journal: StreamJournal;
  /** Connects the processes that share the storage; null when there is only one. */
  relay: Relay | null;
}

/** While a session is in use, its last use is written at most this often. */
const TOUCH_EVERY_MS = 60_000;

/** Returns how often the last use is written, given the idle limit of sessions. */
export const touchEveryMs = (idleMs: number): number => Math.min(TOUCH_EVERY_MS, idleMs / 4);

/**
 * Returns the cutoff: sessions last seen before it have been idle for `idleMs`. Allows for the delay with which the last use is
 * written.
 */
export const unusedSince = (now: Date, idleMs: number): Date => new Date(now.getTime() - idleMs - touchEveryMs(idleMs));

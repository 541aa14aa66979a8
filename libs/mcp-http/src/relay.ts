import type { InboundMessage } from './json-rpc.js';

/** The messages between processes that serve the same sessions. */
export type RelayedNews =
  /** The session has been deleted. */
  | { kind: 'session_ended'; sessionId: string }
  /** The subscriptions or the log level of the session have changed. */
  | { kind: 'session_changed'; sessionId: string }
  /** The sending process has opened the session's GET stream. A session has only one. */
  | { kind: 'stream_opened'; sessionId: string }
  /** The client follows this response stream in the sending process. */
  | { kind: 'stream_followed'; streamId: string }
  /** Client messages for a call that another process may be serving. */
  | { kind: 'client_messages'; sessionId: string; messages: readonly ClientMessage[] };

/** A client's notification, or its response to a server request. */
export type ClientMessage = Exclude<InboundMessage, { kind: 'request' }>;

/** Connects the processes that serve the same sessions from the same storage. */
export interface Relay {
  /** Identifies this process among them; unique after each restart. */
  readonly process: string;
  /** Sends news to the other processes. Resolves when they will receive it. @throws Error when they may not */
  send(news: RelayedNews): Promise<void>;
  /** Returns whether a process is still running, as far as this one can tell. */
  isAtWork(process: string): Promise<boolean>;
}

/** The relay of a single process. */
export const ALONE: Relay = {
  process: 'alone',
  send: () => Promise.resolve(),
  isAtWork: () => Promise.resolve(false),
};

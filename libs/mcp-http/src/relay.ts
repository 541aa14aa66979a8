import type { InboundMessage } from './json-rpc.js';

/** What processes that serve the same sessions tell each other. */
export type RelayedNews =
  /** The session is deleted. */
  | { kind: 'session_ended'; sessionId: string }
  /** The session watches other resources, or has another log level. */
  | { kind: 'session_changed'; sessionId: string }
  /** The GET stream of the session is open in the process that tells so: it has one such stream. */
  | { kind: 'stream_opened'; sessionId: string }
  /** The client follows this response stream in the process that tells so. */
  | { kind: 'stream_followed'; streamId: string }
  /** What the client sent for a call that another process may be serving. */
  | { kind: 'client_messages'; sessionId: string; messages: readonly ClientMessage[] };

/** A notification of a client, or its answer to a request of the server. */
export type ClientMessage = Exclude<InboundMessage, { kind: 'request' }>;

/** Connects the processes that serve the same sessions from the same storage. */
export interface Relay {
  /** Identifies this process among them; never the same again after a restart. */
  readonly process: string;
  /** Tells the other processes. Resolves when they will hear of it. @throws Error when they may not */
  tell(news: RelayedNews): Promise<void>;
  /** Returns whether a process is still at work, as far as this one can know. */
  isAtWork(process: string): Promise<boolean>;
}

/** The relay of a process that is alone. */
export const ALONE: Relay = {
  process: 'alone',
  tell: () => Promise.resolve(),
  isAtWork: () => Promise.resolve(false),
};

import type { JsonObject } from './content.js';

/** Severity of a log message to the client, RFC 5424 names. */
export type LogLevel = 'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency';

/** Who is calling: the owner of the API key. */
export interface Client {
  readonly name: string;
  readonly groups: readonly string[];
}

/** What a skill knows about the call it serves. Passed as an argument: there is no ambient request. */
export interface SkillContext {
  /** Fires when the call times out, is cancelled, or its caller goes away. Pass it on to whatever takes time. */
  readonly signal: AbortSignal;
  readonly client: Client;
  /** Answers to the questions asked by `inputRequired`, by key. Untrusted: check them like any input. */
  readonly answers: Readonly<JsonObject>;
  /** The `state` given to `inputRequired` in the round before; undefined in the first round. */
  readonly state: unknown;
  /** Tell the caller how far the work is; dropped when the caller did not ask for progress. */
  progress(progress: number, total?: number, message?: string): void;
  /** Send a log message to the caller; dropped below the level the caller asked for. */
  log(level: LogLevel, data: unknown, logger?: string): void;
  /**
   * Let go of the HTTP response while the work goes on: the client fetches the rest by resuming its stream (SEP-1699).
   * Does nothing where the client's protocol version cannot resume.
   */
  releaseConnection(): void;
}

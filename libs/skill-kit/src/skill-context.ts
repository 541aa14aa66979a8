import type { JsonObject } from './skill-result.js';

/** Severity of a log message to the client, by the names of RFC 5424. */
export type LogLevel = 'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency';

/** Who is calling: the owner of the API key, or a person who has signed in with a program (`person:` and the account). */
export interface Client {
  readonly name: string;
  readonly groups: readonly string[];
  /**
   * Under what the service keeps what belongs to the client: one that is made anew under a name has another than the one
   * before. Absent: the name.
   */
  readonly owner?: string;
  /** Where the call comes from; absent when nothing is known of it. */
  readonly origin?: CallOrigin;
}

/** Where a call comes from, as far as the service knows. Programs name themselves, so their names prove nothing. */
export interface CallOrigin {
  /** What may be shown of the key that was presented; null without one. */
  readonly key: string | null;
  /** The program that uses the key, as it names itself; the host that it belongs to where `programProven`. */
  readonly program: string | null;
  /** Whether the program has shown, when a person signed in with it, that it belongs to the host that is its name. */
  readonly programProven: boolean;
  readonly programVersion: string | null;
  /** Version of the MCP protocol; null when the call does not come through the endpoint. */
  readonly protocolVersion: string | null;
  readonly sessionId: string | null;
  readonly address: string | null;
  /** Id of the trace that the request belongs to (W3C Trace Context). */
  readonly traceId: string | null;
  /** The run of a workflow that makes the call. */
  readonly run: { readonly id: string; readonly workflow: string } | null;
}

/** The origin of a call of which nothing is known. */
export const UNKNOWN_ORIGIN: CallOrigin = Object.freeze({
  key: null,
  program: null,
  programProven: false,
  programVersion: null,
  protocolVersion: null,
  sessionId: null,
  address: null,
  traceId: null,
  run: null,
});

/** The step of a durable run in which a skill is called. */
export interface RunStep {
  readonly runId: string;
  /** The same in every execution of the step, because a step is repeated when the process dies in the middle of it. */
  readonly idempotencyKey: string;
}

/** How many calls and runs, each begun by the one before, may lead to a call or a run. */
export const DEEPEST_CALL = 20;

/** What a skill knows about the call that it serves. */
export interface SkillContext {
  /** Fires when the call times out, is cancelled, or its caller goes away. Pass it on to whatever takes time. */
  readonly signal: AbortSignal;
  readonly client: Client;
  /** Answers to the requests of `inputRequired`, by key. They are untrusted: check them like any input. */
  readonly answers: Readonly<JsonObject>;
  /** The `state` given to `inputRequired` in the previous round; undefined in the first round. */
  readonly state: unknown;
  /** Whether the caller can pass the questions of `elicit` on to a person. */
  readonly canAsk: boolean;
  /** Whether the caller can follow a run as a task (MCP extension Tasks): then it is given one for `followRun(...)`. */
  readonly followsTasks: boolean;
  /** The step that makes this call; null when a client makes it. */
  readonly step: RunStep | null;
  /** Returns JSON without the secrets that a step has passed on, for whatever keeps it. Absent: there are none. */
  readonly withoutSecrets?: (<T>(value: T) => T) | undefined;
  /** How many calls and runs, each begun by the one before, have led to this one. Absent: none. */
  readonly depth?: number | undefined;
  /** Tells the caller how far the work is; does nothing when the caller did not ask for progress. */
  progress(progress: number, total?: number, message?: string): void;
  /** Sends a log message to the caller; does nothing below the level that the caller asked for. */
  log(level: LogLevel, data: unknown, logger?: string): void;
  /**
   * Ends the HTTP response while the work continues; the client gets the rest by resuming its stream (SEP-1699). Does
   * nothing when the client's protocol version cannot resume streams.
   */
  releaseConnection(): void;
}

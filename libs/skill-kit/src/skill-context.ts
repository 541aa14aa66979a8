import type { JsonObject } from './skill-result.js';

/** Severity of a log message to the client, as named by RFC 5424. */
export type LogLevel = 'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency';

/** Who is calling: the owner of the API key, or a person who has signed in with a program (`person:` and the account). */
export interface Client {
  readonly name: string;
  readonly groups: readonly string[];
  /** The key for data that belongs to the client: a client recreated under the same name has a different one. Absent = the name. */
  readonly owner?: string;
  /** Where the call comes from; absent when unknown. */
  readonly origin?: CallOrigin;
}

/** Where a call comes from, as far as the service knows. Programs name themselves, so their names prove nothing. */
export interface CallOrigin {
  /** The part of the key that may be shown; null without one. */
  readonly key: string | null;
  /** The program that uses the key, as it names itself; with `programProven`, the host that it belongs to. */
  readonly program: string | null;
  /** True when the program proved, as a person signed in with it, that it belongs to the host that is its name. */
  readonly programProven: boolean;
  readonly programVersion: string | null;
  /** Version of the MCP protocol; null when the call does not come through the endpoint. */
  readonly protocolVersion: string | null;
  readonly sessionId: string | null;
  readonly address: string | null;
  /** Id of the request's trace (W3C Trace Context). */
  readonly traceId: string | null;
  /** The run of a workflow that makes the call. */
  readonly run: { readonly id: string; readonly workflow: string } | null;
}

/** The origin of a call from an unknown source. */
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

/** The step of a durable run that calls a skill. */
export interface RunStep {
  readonly runId: string;
  /** The same in every execution of the step: a step is repeated when the process dies while it runs. */
  readonly idempotencyKey: string;
}

/** Maximum length of a chain of calls and runs, each started by the previous one. */
export const DEEPEST_CALL = 20;

/** The context of a call to a skill. */
export interface SkillContext {
  /** Fires when the call times out, is cancelled, or its caller disconnects. Pass it on to long operations. */
  readonly signal: AbortSignal;
  readonly client: Client;
  /** Answers to the requests of `inputRequired`, by key. They are untrusted: check them like any input. */
  readonly answers: Readonly<JsonObject>;
  /** The `state` given to `inputRequired` in the previous round; undefined in the first round. */
  readonly state: unknown;
  /** True when the caller can pass the questions of `elicit` to a person. */
  readonly canAsk: boolean;
  /** True when the caller can follow a run as a task (MCP extension Tasks): then `followRun(...)` gives it one. */
  readonly followsTasks: boolean;
  /** The step that makes this call; null when a client makes it. */
  readonly step: RunStep | null;
  /** Removes secrets that a step has passed on from JSON that is to be stored. Absent = there are none. */
  readonly withoutSecrets?: (<T>(value: T) => T) | undefined;
  /** Number of calls and runs in the chain that led to this one. Absent = none. */
  readonly depth?: number | undefined;
  /** Reports progress to the caller; does nothing when the caller did not ask for it, or when it does not grow. */
  progress(progress: number, total?: number, message?: string): void;
  /** Sends a log message to the caller; does nothing below the level that the caller requested. */
  log(level: LogLevel, data: unknown, logger?: string): void;
  /**
   * Ends the HTTP response while the work continues; the client gets the rest by resuming its stream (SEP-1699). Does
   * nothing when the client's protocol version cannot resume streams.
   */
  releaseConnection(): void;
}

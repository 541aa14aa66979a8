// What tests of skill modules import from agent-service/skill-test. The package contains this file as it is.
/// <reference types="node" />
import type { FoundRows } from 'agent-service/skill';

/** A response, or its body as a text or as JSON. */
export type Answer = Response | string | object;

/** A statement with the values of its parameters, `$1` and so on. */
export interface Statement {
  sql: string;
  parameters: readonly (string | number | boolean | null)[];
}

export interface TrialRequests {
  /** Responses by URL, or a function that answers requests; the requests contain the secrets. */
  fetch?: Record<string, Answer> | ((request: Request) => Answer | Promise<Answer>);
  secrets?: Record<string, string>;
  /** Results of skills by name, or functions of their input; the module gets what they throw as an error. */
  skills?: Record<string, unknown>;
  /** Rows of databases by name, or functions that answer statements; the module gets what they throw as an error. */
  databases?: Record<
    string,
    Partial<FoundRows> | ((statement: Statement) => Partial<FoundRows> | Promise<Partial<FoundRows>>)
  >;
  /** The state before the call. */
  state?: unknown;
}

/** The data and effects of the service, provided by a test. */
export interface TrialOptions extends TrialRequests {
  /** Name of the skill. Needed if the module has several. */
  skill?: string;
  caller?: { name?: string; groups?: readonly string[] };
  /** The person's answers, by the keys of the questions; null = declined. */
  answers?: Record<string, Record<string, unknown> | null>;
  /** The settings of an administrator; others have their defaults. */
  settings?: Record<string, string | number | boolean>;
  /** The time for `context.now()`. Default: the system time. A function is called once, at the start of the call. */
  now?: Date | (() => Date);
  /** Cancels the call, like a caller that disconnects. */
  signal?: AbortSignal;
  /** Timeout. Default: 30,000. */
  timeoutMs?: number;
  onProgress?: (progress: { progress: number; total?: number; message?: string }) => void;
}

/** A block of a result, such as a text, or an image in Base64. */
export interface Block {
  type: string;
  text?: string;
  data?: string;
  mimeType?: string;
}

/** The result for the caller, and the state of the module afterwards. */
export interface TrialResult {
  content: Block[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
  /** Questions to the person, instead of a result. */
  questions?: Record<string, { method: string; params?: Record<string, unknown> }>;
  /** The state after the call; null = none. */
  state: unknown;
}

/**
 * Calls a skill of a module file as the service does: in the process of modules, with arguments and result checked by their
 * schemas. The options replace the responses of the service.
 * @returns the result for a caller; a failed call is a result with `isError`
 * @throws Error that says what is wrong, when the module cannot be loaded, has no such skill or no such setting
 */
export function callSkill(
  module: string | URL,
  args?: Record<string, unknown>,
  options?: TrialOptions,
): Promise<TrialResult>;

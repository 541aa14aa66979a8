import type { Json, JsonObject } from './json.js';
import type { EventAttributes, SubflowCall } from './model.js';
import type { Problem } from './workflow-error.js';

/**
 * Identifies a step of a run permanently. The name is the path of the task in the definition, with suffixes for repetitions:
 * `/do/2/loop/do/0/save#1` is the iteration with index 1, `~2` a second attempt, `@3` a third visit by a backward `then`.
 */
export interface StepRef {
  name: string;
  /** JSON Pointer of the task in the definition, without iterations and attempts: `/do/2/loop/do/0/save`. */
  task: string;
  /** Which attempt of a `try` with `retry` this is; 1 is the first. */
  attempt: number;
  /** Within a `try` with `retry`: how often earlier attempts' requests were permanently refused, by their original keys. */
  refused?: Record<string, number>;
}

export type Outcome<T extends Json = Json> = ({ ok: true; value: T } | { ok: false; error: Problem }) & {
  /** When the step ended, ISO 8601. Interpreters take the current time from here, so that a replay sees the same time. */
  at: string;
};

export interface StepProgress {
  progress: number;
  /** The final value of `progress`; absent = unknown. */
  total?: number;
  message?: string;
}

export interface EffectCall {
  /** Fires when the step should stop: its run was cancelled, its branch lost, its timeout expired, or it now runs elsewhere. */
  signal: AbortSignal;
  /** The same for every execution of this step, so that the receiver can recognise a repetition: `runId:name`. */
  idempotencyKey: string;
  /** Returns a value without the secrets that the step has used so far, for anything that stores it. Absent: the step uses none. */
  withoutSecrets?: (value: Json) => Json;
  /** Reports progress to followers of the run. Absent: there are none. */
  report?: (progress: StepProgress) => void;
}

export interface Question extends JsonObject {
  message: string;
  /** A flat JSON Schema of type object with primitive properties, as for MCP elicitation; forms are made from it. */
  schema: JsonObject;
  /** True when the client that started the run must not answer; absent: everyone with access to the run may. */
  notCaller?: boolean;
}

/**
 * The type of the event that delivers a person's answer. A `listen` task with this `with.type` asks the question in its
 * `metadata.question` (`message`, which may be a runtime expression, `schema`, and `notCaller`). The event's data is an `Answer`,
 * its subject the name of the step.
 */
export const ANSWER_EVENT = 'person.answered';

export interface Answer extends JsonObject {
  action: 'accept' | 'decline' | 'cancel';
  /** The submitted data, which fits the schema of the question. Null unless the action is accept. */
  content: JsonObject | null;
  /** Who answered. */
  by: string;
}

export interface EventWait {
  /** The required attributes. A text also matches as a regular expression over the whole attribute. */
  with: EventAttributes;
  /** Set when the event is a person's answer. Its data then fits the schema. */
  question?: Question;
}

/**
 * Returns whether an event with matching attributes is one that the step waits for. Must be deterministic, because engines call
 * it once per event. Does not affect the steps of the run.
 */
export type EventTest = (event: CloudEvent) => Promise<boolean>;

/** A CloudEvent (v1.0, JSON format). */
export interface CloudEvent extends EventAttributes {
  specversion: '1.0';
  id: string;
  source: string;
  type: string;
}

/**
 * The start of a part of a workflow that runs on its own: a branch of a `fork`, or a task with a deadline. It is self-contained,
 * so that an engine may execute the part elsewhere.
 */
export interface BlockRef {
  /** JSON Pointer of the block's first task, and the name of its step. */
  step: StepRef;
  /** The raw input of the task. */
  input: Json;
  context: Json;
  /** The variables of the enclosing loops and catches, by name. */
  variables: JsonObject;
  /** The start time of the block, by the clock of the steps before it. */
  at: string;
  /** True when the executor of the block already enforces the task's timeout. */
  isTimed: boolean;
}

export interface BlockResult extends JsonObject {
  output: Json;
  context: Json;
  /** Where the flow continues: `continue`, `exit`, `end`, or the name of a task. */
  next: string;
  /** The error of a block with an enforced timeout. It does not count as a failure of the block, so that earlier exports are kept. */
  error?: Problem;
}

export type ConcurrentOutcome =
  | { kind: 'all'; results: BlockResult[]; at: string }
  /** For competing blocks: the first one that ended without an error. */
  | { kind: 'won'; index: number; result: BlockResult; at: string }
  /** A block failed (for competing blocks: the last of them). The others were stopped. */
  | { kind: 'failed'; index: number; error: Problem; at: string }
  | { kind: 'timeout'; at: string };

export interface Concurrency {
  /** True when the first block to succeed wins, and the others are stopped. */
  compete: boolean;
  /** After this time, all blocks are stopped. Null = no limit. */
  timeoutMs: number | null;
}

/**
 * The steps of one run. Each runs once and is then replayed from its record, whatever happens to the process. An engine stops an
 * execution (because it was cancelled, lost, or has nothing to do for long) by never settling its promises: no error of the
 * engine ever passes through a workflow. A step is identified by its name alone.
 */
export interface DurableSteps {
  readonly run: RunInfo;

  /**
   * Runs an effect once and records its outcome. If the process dies meanwhile, nothing is recorded and the effect runs again: at
   * least once, with the same idempotency key.
   * @param shown the input in the list of steps; never anything secret
   * @param act what it throws is recorded as the error (a `WorkflowError` as its problem, others as a runtime error)
   */
  effect(step: StepRef, shown: Json, act: (call: EffectCall) => Promise<Json>): Promise<Outcome>;

  /** Waits. @param durationMs called once to determine the duration: not again after a restart */
  sleep(step: StepRef, durationMs: (now: Date) => number): Promise<{ at: string }>;

  /**
   * Waits for the first matching event, including those sent since the run started. Events that do not match remain for others,
   * and leave no trace in the steps.
   * @param fits an additional test; absent = none. Answers from people skip it.
   */
  waitEvent(step: StepRef, wait: EventWait, fits?: EventTest): Promise<{ event: CloudEvent; at: string }>;

  /** Runs another workflow and returns its result; with `await: false`, the value is `{ runId }`. */
  child(step: StepRef, call: Required<SubflowCall>, options: { await: boolean }): Promise<Outcome>;

  /**
   * Executes blocks concurrently. For competing blocks, engines return events consumed by the losers.
   * @param execute executes a block here, over the steps given to it. It ends as the block ends, and throws only `WorkflowError`.
   * Engines that execute blocks elsewhere call `interpretBlock` there instead.
   */
  concurrent(
    step: StepRef,
    blocks: BlockRef[],
    options: Concurrency,
    execute: (block: BlockRef, steps: DurableSteps) => Promise<BlockResult>,
  ): Promise<ConcurrentOutcome>;

  /** Awaits work that is not a step, such as an expression in a worker. The run stays in memory meanwhile. */
  busy<T>(work: () => Promise<T>): Promise<T>;

  /** Returns the input with which an administrator replaced a task's, in a repetition of another run. */
  replacedInput(step: StepRef): Json | undefined;
}

export interface RunInfo {
  id: string;
  startedAt: string; // ISO 8601
}

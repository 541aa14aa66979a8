import type { Json, JsonObject } from './json.js';
import type { EventAttributes, SubflowCall } from './model.js';
import type { Problem } from './workflow-error.js';

/**
 * Names a step of a run for all time. The name is the path of the task in the definition with what tells repetitions
 * apart: `/do/2/loop/do/0/save#1` is the iteration with index 1, `~2` a second attempt, `@3` a third visit by a backward `then`.
 */
export interface StepRef {
  name: string;
  /** JSON Pointer of the task in the definition, without iterations and attempts: `/do/2/loop/do/0/save`. */
  task: string;
  /** Which attempt of a `try` with `retry` this is; 1 is the first. */
  attempt: number;
  /** Within a `try` with `retry`: how often requests were refused for good in attempts before, by the keys that they had at first. */
  refused?: Record<string, number>;
}

/** What became of a step, as it was recorded. */
export type Outcome<T extends Json = Json> = ({ ok: true; value: T } | { ok: false; error: Problem }) & {
  /** When the step ended, ISO 8601. Interpreters take the time from here, so that a replay sees the same time. */
  at: string;
};

/** How far a step is, as it says itself. */
export interface Told {
  progress: number;
  /** What `progress` will be at the end; absent = not known. */
  total?: number;
  message?: string;
}

/** A step that is under way. */
export interface EffectCall {
  /** Fires when the step should stop: its run was cancelled, its branch lost, its time is over, or it runs elsewhere now. */
  signal: AbortSignal;
  /** The same for every execution of this step, for the receiver to recognise a repetition: `runId:name`. */
  idempotencyKey: string;
  /** Returns a value without the secrets that the step has used so far, for whatever keeps it. Absent: it uses none. */
  withoutSecrets?: (value: Json) => Json;
  /** Says how far the step is, to whoever follows the run. Absent: nobody does. */
  tell?: (told: Told) => void;
}

/** What a person is asked for. */
export interface Question extends JsonObject {
  message: string;
  /** A flat JSON Schema of type object with primitive properties, as for MCP elicitation; forms are made from it. */
  schema: JsonObject;
  /** Whoever started the run cannot answer it; absent: everybody may who may see the run. */
  notCaller?: boolean;
}

/**
 * The type of the event that brings a person's answer. A `listen` task whose `with.type` is this one asks the question
 * of its `metadata.question` (`message`, which may be a runtime expression, `schema`, and `notCaller`). The event's data is an
 * `Answer`, its subject the name of the step.
 */
export const ANSWER_EVENT = 'person.answered';

export interface Answer extends JsonObject {
  action: 'accept' | 'decline' | 'cancel';
  /** What was entered; fits the schema of the question. Null unless the action is accept. */
  content: JsonObject | null;
  /** Who answered. */
  by: string;
}

/** What a step waits for. */
export interface EventWait {
  /** What an event must have, by attribute. A text that is a whole regular expression match counts as equal. */
  with: EventAttributes;
  /** Set when the event is the answer of a person. Its data is then what fits the schema. */
  question?: Question;
}

/**
 * Returns whether an event that has the attributes is one that a step waits for. It always says the same of an event, so
 * that engines ask once for each; it does not touch the steps of the run.
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
 * The beginning of a part of a workflow that is executed on its own: a branch of a `fork`, or a task that has a
 * deadline. All that the part needs to know is in here, so that an engine may execute it elsewhere.
 */
export interface BlockRef {
  /** JSON Pointer of the task at which the block begins, and the name of its step. */
  step: StepRef;
  /** The raw input of the task. */
  input: Json;
  context: Json;
  /** The variables of the loops and catches around the task, by name. */
  variables: JsonObject;
  /** The time that the block begins at, by the clock of the steps before it. */
  at: string;
  /** Whether the timeout of the task is already being watched by whoever executes the block. */
  isTimed: boolean;
}

/** What a block leaves behind when it ends. */
export interface BlockResult extends JsonObject {
  output: Json;
  context: Json;
  /** Where the flow continues: `continue`, `exit`, `end`, or the name of a task. */
  next: string;
  /** Of a block whose timeout is watched: its error. It is no failure of the block, so that what was exported before is kept. */
  error?: Problem;
}

/** How several blocks ended. */
export type ConcurrentOutcome =
  | { kind: 'all'; results: BlockResult[]; at: string }
  /** The first block that ended without an error, of blocks that compete. */
  | { kind: 'won'; index: number; result: BlockResult; at: string }
  /** A block failed (of blocks that compete: the last of them). The others were stopped. */
  | { kind: 'failed'; index: number; error: Problem; at: string }
  | { kind: 'timeout'; at: string };

export interface Concurrency {
  /** The first block to end well wins, and the others are stopped. */
  compete: boolean;
  /** After this time all blocks are stopped. Null = no limit. */
  timeoutMs: number | null;
}

/**
 * The steps of one run, each done once and then only remembered, whatever happens to the process. An engine stops an
 * execution (because it was cancelled, lost, or has nothing to do for long) by never settling its promises: no
 * error of the engine ever passes through a workflow. A step is known by its name alone.
 */
export interface DurableSteps {
  readonly run: RunInfo;

  /**
   * Does something once and records how it ended. A process that dies in the middle of it leaves no record, so it is
   * done again: at least once, and with the same idempotency key.
   * @param shown what the list of steps shows as the input; never anything secret
   * @param act what it throws is recorded as the error (a `WorkflowError` as its problem, others as a runtime error)
   */
  effect(step: StepRef, shown: Json, act: (call: EffectCall) => Promise<Json>): Promise<Outcome>;

  /** Waits. @param durationMs decides how long, once: it is not asked again after a restart */
  sleep(step: StepRef, durationMs: (now: Date) => number): Promise<{ at: string }>;

  /**
   * Waits for an event, and takes the first that fits: one that was sent since the run began is not missed. Those that do not
   * fit stay for others, and leave no trace in the steps.
   * @param fits what an event must pass besides; absent = nothing. Answers of people come to their steps without it.
   */
  waitEvent(step: StepRef, wait: EventWait, fits?: EventTest): Promise<{ event: CloudEvent; at: string }>;

  /** Runs another workflow, whose result is that of the step; with `await: false`, its value is `{ runId }`. */
  child(step: StepRef, call: Required<SubflowCall>, options: { await: boolean }): Promise<Outcome>;

  /**
   * Executes blocks at the same time. Engines give back the events that losers have taken, of blocks that compete.
   * @param execute what executes a block here, over the steps given to it. It ends as the block ends, and throws only
   *   `WorkflowError`. Engines that execute blocks elsewhere call `interpretBlock` there instead.
   */
  concurrent(
    step: StepRef,
    blocks: BlockRef[],
    options: Concurrency,
    execute: (block: BlockRef, steps: DurableSteps) => Promise<BlockResult>,
  ): Promise<ConcurrentOutcome>;

  /** Awaits something that is no step, such as an expression in a worker. The run is not put aside meanwhile. */
  busy<T>(work: () => Promise<T>): Promise<T>;

  /** Returns the input that an administrator has put in the place of a task's, in a run that repeats another. */
  replacedInput(step: StepRef): Json | undefined;
}

export interface RunInfo {
  id: string;
  startedAt: string; // ISO 8601
}

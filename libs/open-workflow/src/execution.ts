import type { DurableSteps, StepRef } from './durable-steps.js';
import type { Expressions } from './expressions.js';
import type { Json, JsonObject } from './json.js';
import type { Budget } from './limits.js';
import type { WorkflowDefinition } from './model.js';
import type { WorkflowHost } from './workflow-host.js';

/** The state that all tasks of an execution share. */
export interface Execution {
  definition: WorkflowDefinition;
  /** The raw input of the workflow, with the defaults of its schema. */
  input: Json;
  host: WorkflowHost;
  expressions: Expressions;
  /** The value of `$runtime`. */
  runtime: RuntimeInfo;
  budget: Budget;
  /** When the execution last yielded the main thread, by `performance.now()`. */
  yieldedAt: number;
  /** Resolves when the branches waiting for the main thread have had their turn. */
  turn: Promise<void>;
}

export interface RuntimeInfo extends JsonObject {
  name: string;
  version: string;
}

/** A sequence of tasks, with its own clock and context. */
export interface Branch {
  steps: DurableSteps;
  /** ISO 8601, by the clock of the earlier steps. */
  at: string;
  context: Json;
}

/** The position of a task in the workflow, and in the enclosing repetitions. */
export interface Place {
  step: StepRef;
  name: string;
  /** The variables of the enclosing loops and catches. */
  variables: JsonObject;
}

export interface TaskResult {
  output: Json;
  /** Where the flow continues, if not at the task's `then`. */
  next?: string | undefined;
}

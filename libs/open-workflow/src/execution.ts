import type { DurableSteps, StepRef } from './durable-steps.js';
import type { Expressions } from './expressions.js';
import type { Json, JsonObject } from './json.js';
import type { Budget } from './limits.js';
import type { WorkflowDefinition } from './model.js';
import type { WorkflowHost } from './workflow-host.js';

/** What all tasks of an execution share. */
export interface Execution {
  definition: WorkflowDefinition;
  /** The raw input of the workflow. */
  input: Json;
  host: WorkflowHost;
  expressions: Expressions;
  /** What `$runtime` shows. */
  runtime: RuntimeInfo;
  budget: Budget;
  /** When the main thread was last given to others, by `performance.now()`. */
  yieldedAt: number;
  /** Resolves when the branches that wait for the main thread have had it. */
  turn: Promise<void>;
}

export interface RuntimeInfo extends JsonObject {
  name: string;
  version: string;
}

/** Tasks that are executed one after the other: what time it is there, and what the context is. */
export interface Branch {
  steps: DurableSteps;
  /** ISO 8601, by the clock of the steps before. */
  at: string;
  context: Json;
}

/** Where a task stands in the workflow, and in the repetitions around it. */
export interface Place {
  step: StepRef;
  /** The name of the task. */
  name: string;
  /** The variables of the loops and catches around the task. */
  variables: JsonObject;
}

/** How a task ended. */
export interface TaskResult {
  output: Json;
  /** Where the flow continues, when it is not where the task's `then` says. */
  next?: string | undefined;
}

import type {
  BlockRef,
  Concurrency,
  ConcurrentOutcome,
  DurableSteps,
  EffectCall,
  EventTest,
  EventWait,
  CloudEvent,
  Outcome,
  StepRef,
  BlockResult,
} from './durable-steps.js';
import { Evaluation, type Scope } from './evaluation.js';
import type { Execution, Place, Branch, TaskResult } from './execution.js';
import { asJson, type Json, type JsonObject } from './json.js';
import { lengthUpTo } from './jq/json-length.js';
import { pointerTo } from './json-pointer.js';
import type { SubflowCall, Task, TaskList } from './model.js';
import { yieldTurn } from './turns.js';
import { standardError, WorkflowError } from './workflow-error.js';

/** Executes the tasks nested in a task. */
export interface Flow {
  list(execution: Execution, branch: Branch, list: ListPlace, input: Json): Promise<ListResult>;
  task(execution: Execution, branch: Branch, task: Task, place: Place, input: Json): Promise<TaskResult>;
  block(execution: Execution, steps: DurableSteps, block: BlockRef): Promise<BlockResult>;
}

/** A list of tasks, and the suffix for the names of their steps. */
export interface ListPlace {
  tasks: TaskList;
  step: StepRef;
  variables: JsonObject;
  /** Such as `#1` for the second iteration of a loop, or `~2` for a second attempt. */
  suffix: string;
}

export interface ListResult {
  output: Json;
  /** Whether the workflow ends, or continues after the task that owns the list. */
  next: 'end' | 'continue';
}

/** Total size that branches may return, in characters of JSON: it is stored as the result of one step. */
const MOST_TOGETHER = 8_000_000;
const TOO_MUCH_TOGETHER = `The branches return more than ${MOST_TOGETHER} characters of JSON together, each with the context. Return less of what they find.`;

/** One execution of one task: its data, its expressions and its steps. */
export class TaskRun {
  /** The input of `output.as`; undefined until the task has an output. */
  output: Json | undefined;
  /** The input after `input.from`. */
  input: Json;
  readonly evaluation: Evaluation;
  private readonly startedAt: string;

  constructor(
    readonly execution: Execution,
    readonly branch: Branch,
    readonly place: Place,
    readonly task: Task,
    readonly rawInput: Json,
    private readonly flow: Flow,
  ) {
    this.input = rawInput;
    this.startedAt = branch.at;
    this.evaluation = evaluationOf(execution, branch, this.scope());
  }

  get step(): StepRef {
    return this.place.step;
  }

  /** Executes a nested list of tasks. @param key where the list is in the task, such as `do` or `catch/do` */
  list(key: string, tasks: TaskList, input: Json, more: Partial<Omit<ListPlace, 'tasks'>> = {}): Promise<ListResult> {
    const outer = more.step ?? this.step;
    const step = { ...outer, name: `${outer.name}/${key}`, task: `${outer.task}/${key}` };
    const { variables = this.place.variables, suffix = '' } = more;
    return this.flow.list(this.execution, this.branch, { tasks, step, variables, suffix }, input);
  }

  /** Executes a task of `use.functions`. It sees only its own variables. */
  function(name: string, task: Task, input: Json): Promise<TaskResult> {
    const pointer = pointerTo('/use/functions', name);
    const step = { ...this.step, name: this.step.name + pointer, task: pointer };
    return this.flow.task(this.execution, this.branch, task, { step, name, variables: {} }, input);
  }

  /** Runs an effect once, and returns its recorded result. @throws WorkflowError */
  async effect(act: (call: EffectCall) => Promise<Json>, step = this.step): Promise<Json> {
    this.execution.budget.countStep(step.name);
    return this.settle(await this.branch.steps.effect(step, this.input, act));
  }

  /** Counts a repetition, which may contain no counted tasks. */
  countRound(): Promise<void> {
    this.execution.budget.countTask(this.step.name);
    return yieldTurn(this.execution, this.branch);
  }

  async sleep(suffix: string, ms: (now: Date) => number): Promise<void> {
    const step = this.named(suffix);
    this.execution.budget.countStep(step.name);
    this.advanceTo((await this.branch.steps.sleep(step, ms)).at);
  }

  async waitEvent(step: StepRef, wait: EventWait, fits?: EventTest): Promise<CloudEvent> {
    this.execution.budget.countStep(step.name);
    const { event, at } = await this.branch.steps.waitEvent(step, wait, fits);
    this.advanceTo(at);
    return event;
  }

  async child(call: Required<SubflowCall>, options: { await: boolean }): Promise<Json> {
    this.execution.budget.countStep(this.step.name);
    return this.settle(await this.branch.steps.child(this.step, call, options));
  }

  async concurrent(step: StepRef, blocks: BlockRef[], options: Concurrency): Promise<ConcurrentOutcome> {
    this.execution.budget.countStep(step.name);
    let left = MOST_TOGETHER;
    const outcome = await this.branch.steps.concurrent(step, blocks, options, async (block, steps) => {
      const result = await this.flow.block(this.execution, steps, block);
      left -= lengthUpTo([result.output, result.context], Math.max(0, left));
      if (left < 0) throw standardError('runtime', TOO_MUCH_TOGETHER);
      return result;
    });
    this.advanceTo(outcome.at);
    return outcome;
  }

  /** Returns a block that starts now. */
  block(step: StepRef, input: Json, isTimed: boolean): BlockRef {
    const { at, context } = this.branch;
    return { step, input, context, variables: this.place.variables, at, isTimed };
  }

  /** Returns the step of this task with a suffix added to its name. */
  named(suffix: string): StepRef {
    return { ...this.step, name: this.step.name + suffix };
  }

  variablesWith(variables: JsonObject): JsonObject {
    return { ...this.place.variables, ...variables };
  }

  private settle(outcome: Outcome): Json {
    this.advanceTo(outcome.at);
    if (outcome.ok) {
      this.execution.budget.countData(outcome.value);
      return outcome.value;
    }
    throw new WorkflowError(outcome.error);
  }

  /** Concurrent steps may be reported in any order. */
  private advanceTo(at: string): void {
    if (Date.parse(at) > Date.parse(this.branch.at)) this.branch.at = at;
  }

  private scope(): Scope {
    const { execution, place } = this;
    const scope: Scope = {
      ...workflowScope(execution, this.branch),
      input: () => this.input,
      task: () => ({
        name: place.name,
        reference: place.step.task,
        definition: asJson(this.task),
        input: this.rawInput,
        ...(this.output !== undefined && { output: this.output }),
        startedAt: timeOf(this.startedAt),
      }),
    };
    for (const [name, value] of Object.entries(place.variables)) if (value !== undefined) scope[name] = () => value;
    return scope;
  }
}

/** Returns an evaluation for expressions of the workflow itself, outside of its tasks. */
export function evaluationOf(execution: Execution, branch: Branch, scope: Scope): Evaluation {
  return new Evaluation({
    expressions: execution.expressions,
    scope,
    isLoose: execution.definition.evaluate?.mode === 'loose',
    now: () => branch.at,
    busy: (work) => branch.steps.busy(work),
  });
}

/** Returns the variables available to every expression. */
export function workflowScope(execution: Execution, branch: Branch): Scope {
  return {
    context: () => branch.context,
    runtime: () => execution.runtime,
    workflow: () => ({
      id: branch.steps.run.id,
      definition: asJson(execution.definition),
      input: execution.input,
      startedAt: timeOf(branch.steps.run.startedAt),
    }),
    secrets: () => {
      throw standardError('expression', '$secrets can only be used inside `with` of a call of a function or of http.');
    },
  };
}

export function resultOf({ output, next }: ListResult): TaskResult {
  return next === 'end' ? { output, next } : { output };
}

/** Returns a time in the form that expressions see. @param at ISO 8601 */
function timeOf(at: string): JsonObject {
  const milliseconds = Date.parse(at);
  return { iso8601: at, epoch: { seconds: Math.floor(milliseconds / 1000), milliseconds } };
}

import type { BlockRef, BlockResult, DurableSteps } from './durable-steps.js';
import { durationMs } from './durations.js';
import type { Execution, Place, Branch, TaskResult } from './execution.js';
import type { Json } from './json.js';
import { pointerTo, resolvePointer, segmentsOf } from './json-pointer.js';
import type { Task, TaskList } from './model.js';
import { type Flow, type ListPlace, type ListResult, TaskRun } from './task-run.js';
import { execute } from './tasks/execute.js';
import { timeoutOf, timeoutError } from './timeouts.js';
import { yieldTurn } from './turns.js';
import { errorAt, standardError, WorkflowError } from './workflow-error.js';

/** Executes tasks in sequence, following their `then`. */
async function runList(execution: Execution, branch: Branch, list: ListPlace, input: Json): Promise<ListResult> {
  const visits = new Map<number, number>();
  let output = input;
  for (let index = 0; index < list.tasks.length;) {
    const [name, task] = entryOf(list.tasks, index);
    const visit = (visits.get(index) ?? 0) + 1;
    visits.set(index, visit);
    const place = placeOf(list, index, name, visit);
    const { output: result, next = 'continue' } = await runTask(execution, branch, task, place, output);
    output = result;
    if (next === 'end') return { output, next };
    if (next === 'exit') break;
    index = next === 'continue' ? index + 1 : indexOf(list.tasks, next, place);
  }
  return { output, next: 'continue' };
}

function placeOf({ step, suffix, variables }: ListPlace, index: number, name: string, visit: number): Place {
  const repetition = visit > 1 ? `${suffix}@${visit}` : suffix;
  return {
    step: {
      ...step,
      name: pointerTo(step.name, index, name) + repetition,
      task: pointerTo(step.task, index, name),
    },
    name,
    variables,
  };
}

function indexOf(tasks: TaskList, name: string, { step }: Place): number {
  const index = tasks.findIndex((entry) => Object.hasOwn(entry, name));
  if (index >= 0) return index;
  const detail = `\`then\` names the task ${name}, which is not in the same list.`;
  throw standardError('configuration', detail, { instance: step.task });
}

function entryOf(tasks: TaskList, index: number): [string, Task] {
  const [entry] = Object.entries(tasks[index] ?? {});
  if (entry === undefined) throw standardError('configuration', `The entry ${index} of a list of tasks is empty.`);
  return entry;
}

/** Executes one task. Its errors carry their location. */
async function runTask(
  execution: Execution,
  branch: Branch,
  task: Task,
  place: Place,
  input: Json,
  isTimed = false,
): Promise<TaskResult> {
  const run = new TaskRun(execution, branch, place, task, input, flow);
  try {
    execution.budget.countTask(place.step.name);
    await yieldTurn(execution, branch);
    if (isTimed) return await perform(run);
    if (task.if !== undefined && !(await run.evaluation.isTrue(task.if, input))) return { output: input };
    return task.timeout === undefined ? await perform(run) : await performInTime(run);
  } catch (error) {
    throw errorAt(place.step.task, error);
  }
}

async function perform(run: TaskRun): Promise<TaskResult> {
  await takeInput(run);
  const { output, next = run.task.then } = await execute(run);
  return { output: await giveOutput(run, output), next };
}

/** Executes a task as a separate block, which is stopped when its timeout expires. */
async function performInTime(run: TaskRun): Promise<TaskResult> {
  const timeout = timeoutOf(run.execution.definition, run.task.timeout);
  const timeoutMs = durationMs(await run.evaluation.template(timeout.after, run.rawInput));
  const block = run.block(run.step, run.rawInput, true);
  const outcome = await run.concurrent(run.named('/timeout'), [block], { compete: false, timeoutMs });
  switch (outcome.kind) {
    case 'all':
    case 'won': {
      const result = outcome.kind === 'won' ? outcome.result : outcome.results[0];
      if (result === undefined) throw new Error('an engine returned no result for a block');
      run.branch.context = result.context;
      if (result.error) throw new WorkflowError(result.error);
      return { output: result.output, next: result.next };
    }
    case 'failed':
      throw new WorkflowError(outcome.error);
    case 'timeout':
      throw timeoutError('task', timeoutMs);
  }
}

/** Executes the block's part of a workflow. */
export async function runBlock(execution: Execution, steps: DurableSteps, block: BlockRef): Promise<BlockResult> {
  const branch: Branch = { steps, at: block.at, context: block.context };
  try {
    return await runPart(execution, branch, block);
  } catch (error) {
    if (!block.isTimed) throw error;
    return { output: null, context: branch.context, next: 'continue', error: errorAt(block.step.task, error).problem };
  }
}

/** The same, on a branch with earlier steps. */
export async function runPart(execution: Execution, branch: Branch, block: BlockRef): Promise<BlockResult> {
  const { step, input, variables } = block;
  const part = resolvePointer(execution.definition, step.task);
  if (typeof part !== 'object' || part === null)
    throw standardError('configuration', `There is no task at ${step.task} of the definition.`);
  if (Array.isArray(part)) {
    const list: ListPlace = { tasks: part as TaskList, step, variables, suffix: '' };
    const { output, next } = await runList(execution, branch, list, input);
    return { output, context: branch.context, next };
  }
  const place: Place = { step, name: segmentsOf(step.task).at(-1) ?? '', variables };
  const { output, next = 'continue' } = await runTask(execution, branch, part as Task, place, input, block.isTimed);
  return { output, context: branch.context, next };
}

const flow: Flow = { list: runList, task: runTask, block: runBlock };

/** Validates and transforms the input of a task, which its expressions then see as `.` and `$input`. */
async function takeInput(run: TaskRun): Promise<void> {
  const replaced = run.branch.steps.replacedInput(run.step);
  if (replaced !== undefined) {
    run.input = replaced;
    return;
  }
  const { input } = run.task;
  if (input === undefined) return;
  await run.evaluation.check(input.schema, run.rawInput, 'input of the task');
  if (input.from !== undefined) run.input = await run.evaluation.transform(input.from, run.rawInput);
}

/** Transforms and validates the output of a task, and exports from it to the context. Returns the output. */
async function giveOutput(run: TaskRun, rawOutput: Json): Promise<Json> {
  const { output, export: exported } = run.task;
  run.output = rawOutput;
  const result = output?.as === undefined ? rawOutput : await run.evaluation.transform(output.as, rawOutput);
  await run.evaluation.check(output?.schema, result, 'output of the task');
  if (exported?.as !== undefined) {
    const context = await run.evaluation.with({ output: () => result }).transform(exported.as, result);
    await run.evaluation.check(exported.schema, context, 'context');
    run.branch.context = context;
  }
  return result;
}

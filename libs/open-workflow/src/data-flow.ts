import type { Json } from './json.js';
import type { TaskRun } from './task-run.js';

/** Checks and transforms the input of a task, which its expressions then see as `.` and `$input`. */
export async function takeInput(run: TaskRun): Promise<void> {
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

/** Transforms and checks the output of a task, and exports from it to the context. Returns the output. */
export async function giveOutput(run: TaskRun, rawOutput: Json): Promise<Json> {
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

import type { TaskResult } from '../execution.js';
import type { RunTask } from '../model.js';
import type { TaskRun } from '../task-run.js';

/** Runs another workflow; the task's output is the workflow's output, or its own input when it does not wait. */
export async function runWorkflow(
  { run: { workflow, await: isAwaited = true } }: RunTask,
  run: TaskRun,
): Promise<TaskResult> {
  const { namespace, name, version = 'latest', input = {} } = workflow;
  const call = { namespace, name, version, input: await run.evaluation.template(input, run.input) };
  const output = await run.child(call, { await: isAwaited });
  return { output: isAwaited ? output : run.input };
}

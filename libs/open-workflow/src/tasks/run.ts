import type { TaskResult } from '../execution.js';
import { asJson, objectOf, textOf } from '../json.js';
import type { RunTask } from '../model.js';
import type { TaskRun } from '../task-run.js';

/** Runs another workflow; the task's output is that of the workflow, or its own input when it does not wait for it. */
export async function runWorkflow(
  { run: { workflow, await: isAwaited = true } }: RunTask,
  run: TaskRun,
): Promise<TaskResult> {
  const { namespace, name, version = 'latest', input = {} } = workflow;
  const resolved = objectOf(await run.evaluation.template(asJson({ namespace, name, version, input }), run.input));
  const call = {
    namespace: textOf(resolved.namespace ?? ''),
    name: textOf(resolved.name ?? ''),
    version: textOf(resolved.version ?? 'latest'),
    input: resolved.input ?? null,
  };
  const output = await run.child(call, { await: isAwaited });
  return { output: isAwaited ? output : run.input };
}

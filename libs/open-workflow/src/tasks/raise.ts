import type { TaskResult } from '../execution.js';
import { asJson, objectOf, textOf } from '../json.js';
import type { RaiseTask } from '../model.js';
import type { TaskRun } from '../task-run.js';
import { standardError, WorkflowError } from '../workflow-error.js';

/** Ends the task, and all around it that does not catch it, with an error. */
export async function raise({ raise: { error } }: RaiseTask, run: TaskRun): Promise<TaskResult> {
  const model = typeof error === 'string' ? run.execution.definition.use?.errors?.[error] : error;
  if (model === undefined) throw standardError('configuration', `There is no error ${error as string} in use.errors.`);
  const {
    type = '',
    status = null,
    title,
    detail,
    instance,
  } = objectOf(await run.evaluation.template(asJson(model), run.input));
  throw new WorkflowError({
    type: textOf(type),
    status: Number(status),
    ...(title !== undefined && { title: textOf(title) }),
    ...(detail !== undefined && { detail: textOf(detail) }),
    instance: typeof instance === 'string' ? instance : run.step.task,
  });
}

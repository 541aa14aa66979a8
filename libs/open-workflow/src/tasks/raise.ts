import type { TaskResult } from '../execution.js';
import { asJson, type Json, objectOf, textOf } from '../json.js';
import type { RaiseTask } from '../model.js';
import type { TaskRun } from '../task-run.js';
import { standardError, WorkflowError } from '../workflow-error.js';

/** Fails the task, and everything around it that does not catch the error. */
export async function raise({ raise: { error } }: RaiseTask, run: TaskRun): Promise<TaskResult> {
  const model = typeof error === 'string' ? run.execution.definition.use?.errors?.[error] : error;
  if (model === undefined) throw standardError('configuration', `There is no error ${error as string} in use.errors.`);
  const {
    type = null,
    status = null,
    title = null,
    detail = null,
    instance,
  } = objectOf(await run.evaluation.template(asJson(model), run.input));
  throw new WorkflowError({
    type: typeOf(type),
    status: statusOf(status),
    ...(title !== null && { title: textOf(title) }),
    ...(detail !== null && { detail: textOf(detail) }),
    instance: typeof instance === 'string' ? instance : run.step.task,
  });
}

/** @throws WorkflowError (expression) when it is no text */
function typeOf(type: Json): string {
  if (typeof type === 'string' && type !== '') return type;
  throw standardError('expression', `The \`type\` of an error must be a URI, not ${shown(type)}.`);
}

/** @throws WorkflowError (expression) when it is not an HTTP status */
function statusOf(status: Json): number {
  const number = typeof status === 'number' || typeof status === 'string' ? Number(status) : NaN;
  if (Number.isInteger(number) && number >= 100 && number <= 599) return number;
  throw standardError(
    'expression',
    `The \`status\` of an error must be a whole number from 100 to 599, not ${shown(status)}.`,
  );
}

const shown = (value: Json): string => JSON.stringify(value).slice(0, 100);

import type { TaskResult } from '../execution.js';
import type { Json } from '../json.js';
import type { ForTask } from '../model.js';
import { resultOf, type TaskRun } from '../task-run.js';
import { standardError } from '../workflow-error.js';

/** Executes tasks for each item. The output of an iteration is the input of the next. */
export async function forEach(task: ForTask, run: TaskRun): Promise<TaskResult> {
  const { each = 'item', at = 'index' } = task.for;
  const items = await itemsOf(task, run);
  let data = run.input;
  for (const [index, item] of items.entries()) {
    const variables = run.variablesWith({ [each]: item, [at]: index });
    const evaluation = run.evaluation.with({ [each]: () => item, [at]: () => index });
    if (task.while !== undefined && !(await evaluation.isTrue(task.while, data))) break;
    // Tasks in the body are counted themselves.
    if (task.do.length === 0) await run.countRound();
    const result = await run.list('do', task.do, data, { variables, suffix: `#${index}` });
    if (result.next === 'end') return resultOf(result);
    data = result.output;
  }
  return { output: data };
}

async function itemsOf(task: ForTask, run: TaskRun): Promise<Json[]> {
  const items = await run.evaluation.transform(task.for.in, run.input);
  if (Array.isArray(items)) return items;
  const found = items === null ? 'null' : typeof items;
  throw standardError(
    'expression',
    `\`for.in\` must give an array, but gave ${found === 'object' ? 'an object' : found}.`,
  );
}

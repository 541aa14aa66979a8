import type { TaskResult } from '../execution.js';
import { asJson } from '../json.js';
import type { CallTask } from '../model.js';
import type { TaskRun } from '../task-run.js';
import { callFunction } from './call-function.js';
import { callHttp } from './call-http.js';

/** Calls HTTP, a function of the workflow, or a function of the host. */
export async function call(task: CallTask, run: TaskRun): Promise<TaskResult> {
  if (task.call === 'http') return { output: await callHttp(task, run) };
  const functions = run.execution.definition.use?.functions;
  const defined = functions && Object.hasOwn(functions, task.call) ? functions[task.call] : undefined;
  if (defined === undefined) return { output: await callFunction(task, run) };
  const args = task.with === undefined ? run.input : await run.evaluation.template(asJson(task.with), run.input);
  const { output, next } = await run.function(task.call, defined, args);
  return next === 'end' ? { output, next } : { output };
}

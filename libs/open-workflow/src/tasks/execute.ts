import type { TaskResult } from '../execution.js';
import { type TaskRun, resultOf } from '../task-run.js';
import { standardError } from '../workflow-error.js';
import { call } from './call.js';
import { emit } from './emit.js';
import { forEach } from './for.js';
import { fork } from './fork.js';
import { listen } from './listen.js';
import { raise } from './raise.js';
import { runWorkflow } from './run.js';
import { switchTo } from './switch.js';
import { tryTasks } from './try.js';
import type { DoTask, SetTask, WaitTask } from '../model.js';
import { durationMs, msUntil } from '../durations.js';
import { isObject, type Json } from '../json.js';

/** Executes a task of any kind on its transformed input. */
export function execute(run: TaskRun): Promise<TaskResult> {
  const { task } = run;
  if ('call' in task) return call(task, run);
  if ('emit' in task) return emit(task, run);
  // Before `do`, which loops have as well.
  if ('for' in task) return forEach(task, run);
  if ('do' in task) return doTasks(task, run);
  if ('fork' in task) return fork(task, run);
  if ('listen' in task) return listen(task, run);
  if ('raise' in task) return raise(task, run);
  if ('run' in task) return runWorkflow(task, run);
  if ('set' in task) return set(task, run);
  if ('switch' in task) return switchTo(task, run);
  if ('try' in task) return tryTasks(task, run);
  if ('wait' in task) return wait(task, run);
  throw standardError('configuration', 'The task is of no known kind.');
}

async function doTasks(task: DoTask, run: TaskRun): Promise<TaskResult> {
  return resultOf(await run.list('do', task.do, run.input));
}

async function set({ set: data }: SetTask, run: TaskRun): Promise<TaskResult> {
  return { output: await run.evaluation.template(data, run.input) };
}

/** Lets time pass. */
async function wait(task: WaitTask, run: TaskRun): Promise<TaskResult> {
  const awaited = await run.evaluation.template(task.wait, run.input);
  await run.sleep('', isObject(awaited) && 'until' in awaited ? msUntil(awaited['until'] ?? null) : msOf(awaited));
  return { output: run.input };
}

function msOf(duration: Json): () => number {
  const ms = durationMs(duration);
  return () => ms;
}

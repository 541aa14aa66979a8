import type { TaskResult } from '../execution.js';
import type { DoTask } from '../model.js';
import { resultOf, type TaskRun } from '../task-run.js';

/** Executes tasks one after the other. */
export async function doTasks(task: DoTask, run: TaskRun): Promise<TaskResult> {
  return resultOf(await run.list('do', task.do, run.input));
}

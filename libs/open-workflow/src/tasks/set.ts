import type { TaskResult } from '../execution.js';
import type { SetTask } from '../model.js';
import type { TaskRun } from '../task-run.js';

/** Makes the data anew, in the place of what was there. */
export async function set({ set: data }: SetTask, run: TaskRun): Promise<TaskResult> {
  return { output: await run.evaluation.template(data, run.input) };
}

import { durationMs } from '../durations.js';
import type { TaskResult } from '../execution.js';
import type { WaitTask } from '../model.js';
import type { TaskRun } from '../task-run.js';

/** Lets time pass. */
export async function wait(task: WaitTask, run: TaskRun): Promise<TaskResult> {
  const ms = durationMs(await run.evaluation.template(task.wait, run.input));
  await run.sleep('', () => ms);
  return { output: run.input };
}

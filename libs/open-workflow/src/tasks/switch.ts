import type { TaskResult } from '../execution.js';
import type { Json } from '../json.js';
import type { SwitchTask } from '../model.js';
import type { TaskRun } from '../task-run.js';
import { programOf } from '../templates.js';
import { WorkflowError } from '../workflow-error.js';

/** Continues at the `then` of the first matching case, or else of the case without a condition. */
export async function switchTo(task: SwitchTask, run: TaskRun): Promise<TaskResult> {
  const cases = task.switch.flatMap((entry) => Object.values(entry));
  const conditions = cases.flatMap(({ when }) => (when === undefined ? [] : [when]));
  const matches = await matchesOf(conditions, run);
  const match = cases.find(({ when }) => when !== undefined && matches[conditions.indexOf(when)] === true);
  const chosen = match ?? cases.find(({ when }) => when === undefined);
  return { output: run.input, next: chosen?.then };
}

/** Returns which conditions hold; those after the first match need not be valid. */
async function matchesOf(conditions: string[], run: TaskRun): Promise<boolean[]> {
  try {
    return (await run.evaluation.all(conditions.map(programOf), run.input)).map(isTrue);
  } catch (error) {
    if (!(error instanceof WorkflowError)) throw error;
    const matches: boolean[] = [];
    while (matches.length < conditions.length && matches.at(-1) !== true)
      matches.push(await run.evaluation.isTrue(conditions[matches.length] ?? '', run.input));
    return matches;
  }
}

const isTrue = (value: Json): boolean => value !== false && value !== null;

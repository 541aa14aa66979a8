import { callInRounds } from '../function-rounds.js';
import type { Json, JsonObject } from '../json.js';
import type { CallTask } from '../model.js';
import { effectWithSecrets } from '../secret-effect.js';
import type { TaskRun } from '../task-run.js';

/** Calls a function of the host, as often as it needs answers of people to continue. */
export function callFunction(task: CallTask, run: TaskRun): Promise<Json> {
  return callInRounds(run.step, {
    call: (step, round) =>
      effectWithSecrets(
        run,
        async ({ call, evaluation }) => {
          const args = (await evaluation.template(task.with ?? {}, run.input)) as JsonObject;
          return run.execution.host.callFunction(task.call, args, call, round);
        },
        step,
      ),
    ask: (step, wait) => run.waitEvent(step, wait),
  });
}

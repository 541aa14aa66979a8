import type { StepRef } from '../durable-steps.js';
import type { TaskRun } from '../task-run.js';
import { type Problem, WorkflowError } from '../workflow-error.js';

/** With these, the server may have accepted the request, may be busy with it, or may accept it soon. */
const UNDECIDED = [408, 409, 423, 425, 429];

/** In JSON pointers `~` is written `~0`. What this removes of the name of a task leaves it unlike others: an index precedes it. */
const ATTEMPTS = /~\d+/g;

/**
 * Returns the idempotency key of a request. It is the same for all attempts of the `try` around it, because one that failed may
 * have had its effect. After a refusal for good it is a new one: servers repeat the answer that they gave to a key.
 */
export function requestKeyOf({ step, branch }: TaskRun): string {
  const first = `${branch.steps.run.id}:${step.name.replace(ATTEMPTS, '')}`;
  const refusals = step.refused?.[first] ?? 0;
  return refusals === 0 ? first : `${first}~${refusals + 1}`;
}

/** Returns an error that names the key that was refused, if the status says that the request had no effect and never will. */
export function withRefusedKey(error: WorkflowError, key: string): WorkflowError {
  const { problem } = error;
  const isRefusal = problem.status >= 400 && problem.status < 500 && !UNDECIDED.includes(problem.status);
  return isRefusal ? new WorkflowError({ ...problem, refusedKey: key }) : error;
}

/** Returns how often requests were refused for good, after another attempt has failed. */
export function refusedAfter({ refused = {} }: StepRef, { refusedKey }: Problem): Record<string, number> {
  if (typeof refusedKey !== 'string') return refused;
  const [, first = refusedKey, number = '1'] = /^(.*)~(\d+)$/s.exec(refusedKey) ?? [];
  return { ...refused, [first]: Number(number) };
}

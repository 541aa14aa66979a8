import type { StepRef } from '../durable-steps.js';
import type { TaskRun } from '../task-run.js';
import { type Problem, WorkflowError } from '../workflow-error.js';

/** Statuses after which the server may have accepted the request, may be processing it, or may accept it later. */
const UNDECIDED = [408, 409, 423, 425, 429];

/** In JSON pointers `~` is written `~0`. Removing that from a task's name keeps it unique: an index precedes it. */
const ATTEMPTS = /~\d+/g;

/**
 * Returns the idempotency key of a request. All attempts of the enclosing `try` share it, because a failed one may have taken
 * effect. After a permanent refusal, the key changes: servers repeat the response that they gave to a key.
 */
export function requestKeyOf({ step, branch }: TaskRun): string {
  const first = `${branch.steps.run.id}:${step.name.replace(ATTEMPTS, '')}`;
  const refusals = step.refused?.[first] ?? 0;
  return refusals === 0 ? first : `${first}~${refusals + 1}`;
}

/** Adds the refused key to an error, if its status means that the request had no effect and never will. */
export function withRefusedKey(error: WorkflowError, key: string): WorkflowError {
  const { problem } = error;
  const isRefusal = problem.status >= 400 && problem.status < 500 && !UNDECIDED.includes(problem.status);
  return isRefusal ? new WorkflowError({ ...problem, refusedKey: key }) : error;
}

/** Returns an error as workflows and their callers see it. */
export function withoutRefusedKey({ refusedKey: _refusedKey, ...problem }: Problem): Problem {
  return problem;
}

/** Returns the updated count of permanent refusals after another failed attempt. */
export function refusedAfter({ refused = {} }: StepRef, { refusedKey }: Problem): Record<string, number> {
  if (typeof refusedKey !== 'string') return refused;
  const [, first = refusedKey, number = '1'] = /^(.*)~(\d+)$/s.exec(refusedKey) ?? [];
  return { ...refused, [first]: Number(number) };
}

import type { Timeout, WorkflowDefinition } from './model.js';
import { standardError, type WorkflowError } from './workflow-error.js';

/** Resolves the name of one of `use.timeouts` to the timeout itself. */
export function timeoutOf(definition: WorkflowDefinition, timeout: Timeout | string | undefined): Timeout {
  if (typeof timeout === 'object') return timeout;
  const named = timeout === undefined ? undefined : definition.use?.timeouts?.[timeout];
  if (named) return named;
  throw standardError('configuration', `There is no timeout ${timeout ?? ''} in use.timeouts.`);
}

export const timeoutError = (what: 'task' | 'workflow', timeoutMs: number): WorkflowError =>
  standardError('timeout', `The ${what} took longer than ${timeoutMs} ms, which is its timeout.`);

import type { Json } from './json.js';

/** An error of a workflow (RFC 7807, as the DSL uses it). */
export interface Problem {
  /** A URI; the standard ones begin with `STANDARD_ERRORS`. */
  type: string;
  /** A suitable HTTP status code. */
  status: number;
  title?: string;
  detail?: string;
  /** JSON Pointer of the task that failed, such as `/do/0/fetch`. */
  instance?: string;
  [extension: string]: Json | undefined;
}

export const STANDARD_ERRORS = 'https://serverlessworkflow.io/spec/1.0.0/errors/';

export const STANDARD_STATUS = {
  configuration: 400,
  validation: 400,
  expression: 400,
  authentication: 401,
  authorization: 403,
  timeout: 408,
  communication: 500,
  runtime: 500,
} as const;

/** An error that a workflow can `catch`. Everything that a step throws is converted to one. */
export class WorkflowError extends Error {
  constructor(readonly problem: Problem) {
    super(problem.detail ?? problem.title ?? problem.type);
  }
}

export function standardError(
  kind: keyof typeof STANDARD_STATUS,
  detail: string,
  more: Partial<Problem> = {},
): WorkflowError {
  return new WorkflowError({
    type: `${STANDARD_ERRORS}${kind}`,
    status: STANDARD_STATUS[kind],
    title: TITLES[kind],
    detail,
    ...more,
  });
}

const TITLES: Record<keyof typeof STANDARD_STATUS, string> = {
  configuration: 'Configuration Error',
  validation: 'Validation Error',
  expression: 'Expression Error',
  authentication: 'Authentication Error',
  authorization: 'Authorization Error',
  timeout: 'Timeout Error',
  communication: 'Communication Error',
  runtime: 'Runtime Error',
};

/** Returns the problem of an error. Anything other than a `WorkflowError` is a runtime error. */
export function problemOf(error: unknown): Problem {
  if (error instanceof WorkflowError) return error.problem;
  return standardError('runtime', error instanceof Error ? error.message : String(error)).problem;
}

/** Assigns an error to a part of the definition, unless it already has one. */
export function errorAt(instance: string, error: unknown): WorkflowError {
  if (error instanceof WorkflowError && error.problem.instance !== undefined) return error;
  return new WorkflowError({ ...problemOf(error), instance });
}

/**
 * What sort of failure it is; the doors translate it to their protocol's status. `outdated`: what the caller wants to
 * change is not what the caller knows.
 */
export type ErrorKind =
  'not_found' | 'invalid' | 'conflict' | 'outdated' | 'denied' | 'unauthorized' | 'rate_limited' | 'unavailable';

export interface FieldProblem {
  /** Where in the input: `tags.0`. */
  path: string;
  message: string;
  /** Where in a text, from 1; left out when the input is no text with lines. */
  line?: number;
  column?: number;
}

/** An expected failure, with a stable code and a message that says what to do. Everything else is a bug. */
export abstract class AppError extends Error {
  /** Which inputs are wrong, for kind `invalid`. */
  readonly fields?: readonly FieldProblem[];
  /** When to try again, for kinds `rate_limited` and `unavailable`. */
  readonly retryAfterSeconds?: number;

  constructor(
    readonly kind: ErrorKind,
    readonly code: string,
    message: string,
    details: { fields?: readonly FieldProblem[]; retryAfterSeconds?: number } = {},
  ) {
    super(message);
    this.name = new.target.name;
    if (details.fields) this.fields = details.fields;
    if (details.retryAfterSeconds !== undefined) this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

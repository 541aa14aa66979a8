/** The kind of a failure; entry points translate it to their protocol's status. `outdated`: the change is based on an old version. */
export type ErrorKind =
  'not_found' | 'invalid' | 'conflict' | 'outdated' | 'denied' | 'unauthorized' | 'rate_limited' | 'unavailable';

export interface FieldProblem {
  /** Path in the input, such as `tags.0`. */
  path: string;
  message: string;
  /** Position in a text, from 1; absent when the input is not a text with lines. */
  line?: number;
  column?: number;
}

/** An expected failure, with a stable code and a message that says what to do. Everything else is a bug. */
export abstract class AppError extends Error {
  /** The invalid inputs, for kind `invalid`. */
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

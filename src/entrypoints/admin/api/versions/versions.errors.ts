import { AppError } from '../../../../platform/errors/app-error.js';

export class InvalidIfMatch extends AppError {
  constructor(example: string) {
    super(
      'invalid',
      'invalid_if_match',
      `the header If-Match must name one version in quotes, such as ${example}: send the ETag of the answer that was read`,
    );
  }
}

/** Thrown in place of another `outdated` error: the response includes the current state, as the route returns it. */
export class OutdatedChange extends AppError {
  constructor(
    { code, message }: AppError,
    readonly present: object,
  ) {
    super('outdated', code, message);
  }
}

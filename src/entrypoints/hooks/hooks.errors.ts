import { AppError } from '../../platform/errors/app-error.js';

/** Thrown when other messages leave no room for this one. */
export class TooManyMessages extends AppError {
  constructor() {
    super('unavailable', 'webhooks.too_many_messages', 'too many messages right now: retry in a few seconds', {
      retryAfterSeconds: 5,
    });
  }
}

/** Thrown when an address has sent many messages with wrong signatures. */
export class TooManyWrongSignatures extends AppError {
  constructor(waitSeconds: number) {
    super(
      'rate_limited',
      'webhooks.too_many_wrong_signatures',
      `many messages from this address had no valid signature: wait ${waitSeconds} s. A message with a valid one is taken at any time`,
      { retryAfterSeconds: waitSeconds },
    );
  }
}

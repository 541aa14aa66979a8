import { AppError } from '../../platform/errors/app-error.js';

/** Thrown when a token cannot be checked now: its issuer does not respond, or is not set up. */
export class IssuerUnavailable extends AppError {
  constructor(issuer: string, cause: unknown, retryAfterSeconds = 5) {
    super(
      'unavailable',
      'oauth.issuer_unavailable',
      `the issuer ${issuer} cannot be asked about tokens now: ${cause instanceof Error ? cause.message : String(cause)}`,
      { retryAfterSeconds },
    );
  }
}

/** Thrown when a token is not valid here. The message tells the sender why. */
export class TokenRefused extends AppError {
  constructor(reason: string) {
    super('unauthorized', 'oauth.token_refused', reason);
  }
}

/** Thrown when a valid token lacks scopes (RFC 6750, section 3.1: `insufficient_scope`). */
export class ScopeMissing extends AppError {
  constructor(missing: readonly string[]) {
    super('denied', 'oauth.scope_missing', `the token lacks the scope ${missing.join(' ')}`);
  }
}

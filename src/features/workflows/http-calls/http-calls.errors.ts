import { AppError } from '../../../platform/errors/app-error.js';

/** Thrown when a redirect leads to a host to which the step may not send the content of the request. */
export class RedirectRefused extends AppError {
  /** @param refusal the error of the step */
  constructor(readonly refusal: unknown) {
    super('denied', 'workflows.redirect_refused', `the redirect is not followed: ${String(refusal)}`);
  }
}

import { AppError } from '../../../platform/errors/app-error.js';

/** Thrown when a redirect leads where the step may not send what the request holds. */
export class RedirectRefused extends AppError {
  /** @param refusal the error of the step */
  constructor(readonly refusal: unknown) {
    super('denied', 'workflows.redirect_refused', `the redirect is not followed: ${String(refusal)}`);
  }
}

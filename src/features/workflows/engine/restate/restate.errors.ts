import { AppError } from '../../../../platform/errors/app-error.js';

/** Thrown when the Restate cluster does not answer, or refuses what it was asked for. */
export class RestateRefused extends AppError {
  constructor(url: string, reason: string) {
    super(
      'unavailable',
      'workflows.restate_refused',
      `Restate did not do what it was asked for at ${url}: ${reason}. Check RESTATE_INGRESS_URL and RESTATE_ADMIN_URL, ` +
        'and whether the cluster is running.',
    );
  }
}

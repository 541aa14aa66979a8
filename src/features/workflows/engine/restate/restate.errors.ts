import { commandToAdd } from '../../../../platform/environment/project-root.js';
import { AppError } from '../../../../platform/errors/app-error.js';

/** Thrown when the Restate cluster does not respond, or refuses a request. */
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

/** Thrown at the start when Restate is configured and its SDK is not installed. */
export class RestateMissing extends AppError {
  constructor() {
    super(
      'unavailable',
      'workflows.restate_missing',
      `the SDK of Restate is not installed. Run "${commandToAdd('restate')}" in the folder of the service, or unset WORKFLOW_ENGINE. ` +
        'A container image has it when it was built with --build-arg RESTATE=1.',
    );
  }
}

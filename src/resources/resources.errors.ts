import { AppError } from '../errors/app-error.js';
import type { PolicyDecision } from '../events/app-events.js';
import { denialOf } from '../policy/policy.service.js';

/** Thrown when there is nothing at a URI. */
export class ResourceNotFound extends AppError {
  constructor(
    readonly uri: string,
    templates: readonly string[],
  ) {
    super(
      'not_found',
      'resources.not_found',
      `Resource not found: ${uri}. Call resources/list for the resources that exist; URIs look like ${templates.join(', ')}.`,
    );
  }
}

/** Thrown when policy does not let a client read a resource. */
export class ResourceDenied extends AppError {
  constructor(uri: string, decision: PolicyDecision) {
    super('denied', 'resources.denied', denialOf(decision, `reading ${uri}`));
  }
}

import { AppError } from '../../platform/errors/app-error.js';
import type { PolicyDecision } from '../../platform/events/app-events.js';
import { denialOf } from '../../access/policy/policy.service.js';

/** Thrown when there is nothing at a URI. */
export class ResourceNotFound extends AppError {
  constructor(
    readonly uri: string,
    templates: readonly string[],
  ) {
    super(
      'not_found',
      'resources.not_found',
      `Resource not found: ${uri}. knowledge_search, memory_search, feed_items and run_list say what there is; URIs look like ${templates.join(', ')}.`,
    );
  }
}

/** Thrown when policy denies a client access to a resource. */
export class ResourceDenied extends AppError {
  constructor(uri: string, decision: PolicyDecision) {
    super('denied', 'resources.denied', denialOf(decision, `reading ${uri}`));
  }
}

/** Thrown when a resource does not have the requested part. */
export class PartNotFound extends AppError {
  constructor(uri: string, reason: string) {
    super('not_found', 'resources.part_not_found', `${uri} does not have this part: ${reason}.`);
  }
}

/** Thrown when the requested part of a resource is ambiguous or malformed. */
export class InvalidPart extends AppError {
  constructor(path: string, message: string) {
    super('invalid', 'resources.invalid_part', `${path} ${message}`, { fields: [{ path, message }] });
  }
}

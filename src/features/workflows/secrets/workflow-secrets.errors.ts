import { AppError } from '../../../platform/errors/app-error.js';
import { MAX_SECRET, MAX_SECRETS, SECRET_NAME_RULE } from './workflow-secret.js';

/** Thrown when a secret is not there (any more). */
export class WorkflowSecretNotFound extends AppError {
  constructor(name: string) {
    super(
      'not_found',
      'workflows.secret_not_found',
      `there is no secret ${JSON.stringify(name.slice(0, 100))} for workflows`,
    );
  }
}

/** Thrown when the name of a secret is not one that workflows can use. */
export class InvalidSecretName extends AppError {
  constructor() {
    super('invalid', 'workflows.invalid_secret_name', `the name of a secret ${SECRET_NAME_RULE}`, {
      fields: [{ path: 'name', message: SECRET_NAME_RULE }],
    });
  }
}

/** Thrown when the value of a secret is neither a text nor an object of texts, or too long. Never repeats it. */
export class InvalidSecretValue extends AppError {
  constructor() {
    const message = `must be a text, or an object whose members are texts, that is not empty and has at most ${MAX_SECRET} characters as JSON`;
    super('invalid', 'workflows.invalid_secret', `the value of a secret ${message}`, {
      fields: [{ path: 'value', message }],
    });
  }
}

/** Thrown when there are as many secrets as there may be. */
export class TooManySecrets extends AppError {
  constructor() {
    super(
      'conflict',
      'workflows.too_many_secrets',
      `there are ${MAX_SECRETS} secrets for workflows already: remove those that no workflow uses any more`,
    );
  }
}

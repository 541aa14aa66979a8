import { AppError } from '../../../platform/errors/app-error.js';
import { MAX_PLACES, MAX_SECRET, MAX_SECRETS, SECRET_NAME_RULE, type SecretLimits } from './workflow-secret.js';

export class WorkflowSecretNotFound extends AppError {
  constructor(name: string) {
    super(
      'not_found',
      'workflows.secret_not_found',
      `there is no secret ${JSON.stringify(name.slice(0, 100))} for workflows`,
    );
  }
}

export class InvalidSecretName extends AppError {
  constructor() {
    super('invalid', 'workflows.invalid_secret_name', `the name of a secret ${SECRET_NAME_RULE}`, {
      fields: [{ path: 'name', message: SECRET_NAME_RULE }],
    });
  }
}

/** Thrown when the value of a secret is neither a text nor an object of texts, or too long. The message never contains the value. */
export class InvalidSecretValue extends AppError {
  constructor() {
    const message = `must be a text, or an object whose members are texts, that is not empty and has at most ${MAX_SECRET} characters as JSON`;
    super('invalid', 'workflows.invalid_secret', `the value of a secret ${message}`, {
      fields: [{ path: 'value', message }],
    });
  }
}

export class SecretValueMissing extends AppError {
  constructor(name: string) {
    const message = `there is no secret ${JSON.stringify(name)} for workflows yet: give its value`;
    super('invalid', 'workflows.secret_value_missing', message, { fields: [{ path: 'value', message }] });
  }
}

export class InvalidSecretLimit extends AppError {
  constructor(list: keyof SecretLimits, { rule, wrong }: { rule: string; wrong: ReadonlyMap<number, string> }) {
    const shown = [...wrong].map(([index, entry]) => [index, JSON.stringify(entry.slice(0, 100))] as const);
    const all = shown.map(([, entry]) => entry).join(', ');
    super('invalid', 'workflows.invalid_secret_limit', `each of ${list} ${rule}, unlike ${all}`, {
      fields: shown.map(([index, entry]) => ({ path: `${list}.${index}`, message: `${entry} ${rule}` })),
    });
  }
}

export class TooManySecretLimits extends AppError {
  constructor(list: keyof SecretLimits) {
    const message = `must not have more than ${MAX_PLACES} entries`;
    super('invalid', 'workflows.too_many_secret_limits', `${list} ${message}`, { fields: [{ path: list, message }] });
  }
}

export class TooManySecrets extends AppError {
  constructor() {
    super(
      'conflict',
      'workflows.too_many_secrets',
      `there are ${MAX_SECRETS} secrets for workflows already: remove those that no workflow uses any more`,
    );
  }
}

import { AppError } from '../errors/app-error.js';
import { environmentVariableOf } from './settings.rules.js';
import type { SettingKey } from './settings.schema.js';

/** Thrown at start, with everything that is wrong with the environment at once. */
export class InvalidEnvironment extends AppError {
  constructor(readonly problems: readonly string[]) {
    super(
      'invalid',
      'config.invalid_environment',
      `${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}: ${problems.join('; ')}`,
    );
  }
}

/** Thrown when a value does not fit its setting's declaration. */
export class InvalidSetting extends AppError {
  constructor(key: SettingKey, problem: string) {
    super('invalid', 'config.invalid_value', `${key} ${problem}`, { fields: [{ path: 'value', message: problem }] });
  }
}

/** Thrown when a setting is changed that the environment decides. */
export class SettingLocked extends AppError {
  constructor(key: SettingKey) {
    const variable = environmentVariableOf(key);
    super(
      'conflict',
      'config.setting_locked',
      `${key} is set by the environment variable ${variable}: change it there, or remove the variable and restart`,
    );
  }
}

/** Thrown when there is no setting of that key. */
export class SettingNotFound extends AppError {
  constructor(key: string) {
    super(
      'not_found',
      'config.setting_not_found',
      `there is no setting ${JSON.stringify(key)}: list them to see the keys`,
    );
  }
}

/** Thrown when a key is entered for a server that nobody named: it is presented to that server only. */
export class CredentialWithoutServer extends AppError {
  constructor(key: SettingKey, serverKey: SettingKey) {
    super(
      'conflict',
      'config.server_not_set',
      `set ${serverKey} first: ${key} is kept for that server, and presented to no other`,
    );
  }
}

/** Thrown when the key that credentials are sealed with can't be read or written. */
export class SealingKeyUnusable extends AppError {
  constructor(where: string, reason: string) {
    super(
      'unavailable',
      'config.secrets_key_unusable',
      `the key of stored credentials in ${where} can't be used (${reason}): make it readable for this user, or make one ` +
        'with "openssl rand -base64 32", the same for every replica',
    );
  }
}

/** Thrown when a key is to be generated for a setting that is not a secret. */
export class SettingNotGenerated extends AppError {
  constructor(key: SettingKey) {
    super('invalid', 'config.not_a_secret', `${key} is not a secret, so no key can be generated for it: set its value`);
  }
}

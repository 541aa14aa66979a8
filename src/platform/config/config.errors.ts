import { AppError } from '../errors/app-error.js';
import { environmentVariableOf } from '../settings/settings.rules.js';
import type { SettingDescription } from './setting-description.js';
import type { SettingKey } from '../settings/settings.schema.js';

/** Thrown when a value does not fit its setting's declaration. */
export class InvalidSetting extends AppError {
  constructor(key: SettingKey, { problem, entries }: { problem: string; entries?: readonly number[] }) {
    const paths = entries?.map((index) => `value.${index}`) ?? ['value'];
    super('invalid', 'config.invalid_value', `${key} ${problem}`, {
      fields: paths.map((path) => ({ path, message: problem })),
    });
  }
}

/** Thrown on a change of a setting that the environment overrides. */
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

/** Thrown when a change is based on an outdated version of a setting. */
export class SettingConflict extends AppError {
  constructor(readonly present: SettingDescription) {
    const { key, value } = present;
    const now = value === null ? '' : `: it is ${JSON.stringify(value)} now`;
    super(
      'outdated',
      'config.setting_moved_on',
      `somebody has changed ${key} in the meantime${now}. Nothing was saved. Look at it, and save again if you still want to.`,
    );
  }
}

/** Thrown when no setting has this key. */
export class SettingNotFound extends AppError {
  constructor(key: string) {
    super(
      'not_found',
      'config.setting_not_found',
      `there is no setting ${JSON.stringify(key)}: list them to see the keys`,
    );
  }
}

/** Thrown when a credential is entered before the server that it is for. */
export class CredentialWithoutServer extends AppError {
  constructor(key: SettingKey, serverKey: SettingKey) {
    super('conflict', 'config.server_not_set', `set ${serverKey} first: ${key} is presented to that server only`);
  }
}

/** Thrown on an attempt to generate the value of a setting that is not a secret. */
export class SettingNotGenerated extends AppError {
  constructor(key: SettingKey) {
    super('invalid', 'config.not_a_secret', `${key} is not a secret, so no key can be generated for it: set its value`);
  }
}

import { AppError } from '../errors/app-error.js';

/** Thrown when the key that credentials are sealed with can't be read or written. */
export class SealingKeyUnusable extends AppError {
  constructor(where: string, reason: string) {
    super(
      'unavailable',
      'config.secrets_key_unusable',
      `the key of stored credentials in ${where} can't be used (${reason}): make it readable for this user, or create ` +
        'one with "openssl rand -base64 32", the same for every replica',
    );
  }
}

/** Thrown when SECRETS_KEY_FILE refers to a file that does not exist. */
export class SealingKeyMissing extends AppError {
  constructor(path: string) {
    super(
      'unavailable',
      'config.secrets_key_missing',
      `SECRETS_KEY_FILE names ${path}, which does not exist: correct the path, or make a key there with ` +
        `"openssl rand -base64 32 > ${path}", the same for every replica`,
    );
  }
}

/** Thrown instead of sealing with a key that another replica has moved out of the database. */
export class SealingKeyMoved extends AppError {
  constructor() {
    super(
      'unavailable',
      'config.secrets_key_moved',
      'another replica has moved the key of stored credentials out of the database, to its SECRETS_KEY or ' +
        'SECRETS_KEY_FILE: start this one with the same SECRETS_KEY or SECRETS_KEY_FILE, too. Nothing was saved.',
    );
  }
}

import { AppError } from '../../platform/errors/app-error.js';

/** Thrown when there is no account of that name. */
export class AdministratorNotFound extends AppError {
  constructor(name: string) {
    super('not_found', 'administrators.not_found', `there is no account ${JSON.stringify(name)}`);
  }
}

/** Thrown when an account of that name exists already. */
export class AdministratorExists extends AppError {
  constructor(name: string) {
    super('conflict', 'administrators.exists', `there is already an account ${name}: choose another name`);
  }
}

/** Thrown when the limit of accounts is reached. */
export class TooManyAdministrators extends AppError {
  constructor(most: number) {
    super('conflict', 'administrators.too_many', `there are ${most} accounts already: delete one first`);
  }
}

/** Thrown on an attempt to delete or disable the built-in account, or to change its role. */
export class BuiltInAdministrator extends AppError {
  constructor(name: string) {
    super(
      'conflict',
      'administrators.built_in',
      `${name} is built in: it cannot be deleted or disabled, and its role stays admin`,
    );
  }
}

/** Thrown when the environment sets the password. */
export class PasswordFixed extends AppError {
  constructor(name: string) {
    super(
      'conflict',
      'administrators.password_fixed',
      `the password of ${name} is set by ADMIN_PASSWORD: change the variable and restart, or remove it`,
    );
  }
}

/** Thrown when a new password is too weak. */
export class PasswordRefused extends AppError {
  constructor(message: string) {
    super('invalid', 'administrators.password_refused', `the password ${message}`, {
      fields: [{ path: 'password', message }],
    });
  }
}

/** Thrown when somebody changes their own password and the current one is wrong. */
export class PresentPasswordWrong extends AppError {
  constructor() {
    const message = 'is not the current password';
    super('invalid', 'administrators.present_password_wrong', `the password given as present ${message}`, {
      fields: [{ path: 'present', message }],
    });
  }
}

/** Thrown when somebody sets their own password without the current one. */
export class OwnPassword extends AppError {
  constructor() {
    super(
      'conflict',
      'administrators.own_password',
      'change your own password with PUT /admin/api/account/password, which asks for the current one',
    );
  }
}

/** Thrown when the account was changed concurrently. */
export class AccountChanged extends AppError {
  constructor(name: string) {
    super('conflict', 'administrators.changed', `the account ${name} was changed at the same time: try again`);
  }
}

/** Thrown when an account has no such session. */
export class AdminSessionNotFound extends AppError {
  constructor() {
    super('not_found', 'administrators.session_not_found', 'the account has no such session: it may have ended');
  }
}

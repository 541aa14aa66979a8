import { AppError } from '../../platform/errors/app-error.js';

export class AdministratorNotFound extends AppError {
  constructor(name: string) {
    super('not_found', 'administrators.not_found', `there is no account ${JSON.stringify(name)}`);
  }
}

export class AdministratorExists extends AppError {
  constructor(name: string) {
    super('conflict', 'administrators.exists', `there is already an account ${name}: choose another name`);
  }
}

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

export class PasswordFixed extends AppError {
  constructor(name: string) {
    super(
      'conflict',
      'administrators.password_fixed',
      `the password of ${name} is set by ADMIN_PASSWORD: change the variable and restart, or remove it`,
    );
  }
}

export class PasswordRefused extends AppError {
  constructor(message: string) {
    super('invalid', 'administrators.password_refused', `the password ${message}`, {
      fields: [{ path: 'password', message }],
    });
  }
}

export class PresentPasswordWrong extends AppError {
  constructor() {
    const message = 'is not the current password';
    super('invalid', 'administrators.present_password_wrong', `the password given as present ${message}`, {
      fields: [{ path: 'present', message }],
    });
  }
}

export class OwnPassword extends AppError {
  constructor() {
    super(
      'conflict',
      'administrators.own_password',
      'change your own password with PUT /admin/api/account/password, which asks for the current one',
    );
  }
}

export class AccountChanged extends AppError {
  constructor(name: string) {
    super('conflict', 'administrators.changed', `the account ${name} was changed at the same time: try again`);
  }
}

export class AdminSessionNotFound extends AppError {
  constructor() {
    super('not_found', 'administrators.session_not_found', 'the account has no such session: it may have ended');
  }
}

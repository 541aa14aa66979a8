import { AppError } from '../../platform/errors/app-error.js';
import type { AdminRole } from './administrator.js';

/** Thrown when a request has neither valid credentials nor a valid session. */
export class NotAuthenticated extends AppError {
  constructor() {
    super(
      'unauthorized',
      'admin.not_authenticated',
      'log in with POST /admin/api/session, or use HTTP Basic with the name and the password of an account',
    );
  }
}

export class WrongPassword extends AppError {
  constructor() {
    super('unauthorized', 'admin.wrong_password', 'the name or the password is wrong');
  }
}

export class AccountDisabled extends AppError {
  constructor(name: string) {
    super(
      'denied',
      'admin.account_disabled',
      `the account ${name} is disabled: ask somebody with the role admin to enable it`,
    );
  }
}

/** Thrown when an account other than the built-in one uses a password while the setting sso.only is on. */
export class PasswordsOff extends AppError {
  constructor() {
    super(
      'denied',
      'admin.passwords_off',
      'accounts log in by single sign-on only (setting sso.only); a password lets in only the account admin',
    );
  }
}

/**
 * Thrown when an operation needs a browser session that was opened with a password, and the caller is authenticated in another
 * way.
 */
export class PasswordLoginNeeded extends AppError {
  constructor() {
    super('denied', 'admin.password_login_needed', 'log in with your password in a browser first, and try again there');
  }
}

export class ForbiddenRole extends AppError {
  constructor({ user, role }: { user: string; role: AdminRole }, needed: AdminRole) {
    super(
      'denied',
      'admin.forbidden_role',
      `this needs the role ${needed}, and ${user} has the role ${role}: ask somebody with the role admin`,
    );
  }
}

/** Thrown when a browser or an address tries passwords too fast, or when too many passwords are tried for one account. */
export class TooManyLogins extends AppError {
  constructor(retryAfterSeconds: number, whose: 'from here' | 'of this account') {
    super(
      'rate_limited',
      'admin.too_many_logins',
      `too many failed logins ${whose}: try again in ${retryAfterSeconds} s`,
      { retryAfterSeconds },
    );
  }
}

export class LoginsBusy extends AppError {
  constructor() {
    super('unavailable', 'admin.logins_busy', 'too many logins at once: try again in 2 s', { retryAfterSeconds: 2 });
  }
}

/** Thrown when a page of another site makes the browser send a changing request. */
export class CrossSiteRequest extends AppError {
  constructor() {
    super(
      'denied',
      'admin.cross_site_request',
      'a change must come from the pages of this service, not from another site',
    );
  }
}

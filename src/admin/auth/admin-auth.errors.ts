import { AppError } from '../../errors/app-error.js';

/** Thrown when a request comes without valid credentials or session. */
export class NotAuthenticated extends AppError {
  constructor() {
    super(
      'unauthorized',
      'admin.not_authenticated',
      'log in with POST /admin/api/session, or use HTTP Basic with the user admin and the administrator password',
    );
  }
}

/** Thrown when a login gives the wrong password. */
export class WrongPassword extends AppError {
  constructor() {
    super('unauthorized', 'admin.wrong_password', 'the password is wrong');
  }
}

/** Thrown when a browser, or an address, tries passwords too fast. */
export class TooManyLogins extends AppError {
  constructor(retryAfterSeconds: number) {
    super(
      'rate_limited',
      'admin.too_many_logins',
      `too many failed logins from here: try again in ${retryAfterSeconds} s`,
      { retryAfterSeconds },
    );
  }
}

/** Thrown when more passwords are to be checked than can be at once. */
export class LoginsBusy extends AppError {
  constructor() {
    super('unavailable', 'admin.logins_busy', 'too many logins at once: try again in 2 s', { retryAfterSeconds: 2 });
  }
}

/** Thrown when another site's page makes a browser send a change. */
export class CrossSiteRequest extends AppError {
  constructor() {
    super(
      'denied',
      'admin.cross_site_request',
      'a change must come from the pages of this service, not from another site',
    );
  }
}

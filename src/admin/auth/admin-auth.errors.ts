import { AppError } from '../../errors/app-error.js';

/** Thrown when a request has neither valid credentials nor a valid session. */
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

/** Thrown when too many passwords wait to be checked. */
export class LoginsBusy extends AppError {
  constructor() {
    super('unavailable', 'admin.logins_busy', 'too many logins at once: try again in 2 s', { retryAfterSeconds: 2 });
  }
}

/** Thrown when a page of another site makes the browser send a change. */
export class CrossSiteRequest extends AppError {
  constructor() {
    super(
      'denied',
      'admin.cross_site_request',
      'a change must come from the pages of this service, not from another site',
    );
  }
}

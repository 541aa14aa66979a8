import { AppError } from '../../platform/errors/app-error.js';

/** Thrown when a program registers and the limit is reached. */
export class TooManyPrograms extends AppError {
  constructor() {
    super(
      'unavailable',
      'oauth.too_many_programs',
      'as many programs have registered as the service remembers, and people use all of them (ask an administrator to remove some)',
      { retryAfterSeconds: 600 },
    );
  }
}

/** Thrown when a sign-in has ended, or was started by another browser. */
export class SignInNotFound extends AppError {
  constructor() {
    super(
      'not_found',
      'oauth.sign_in_not_found',
      'this sign-in is over, has expired, or was begun in another browser: begin again in your program',
    );
  }
}

export class GrantNotFound extends AppError {
  constructor(id: string) {
    super('not_found', 'oauth.grant_not_found', `nobody has allowed a program under the id ${id}, or it has ended`);
  }
}

export class ProgramNotFound extends AppError {
  constructor(id: string) {
    super('not_found', 'oauth.program_not_found', `there is no program ${id}`);
  }
}

export class ProgramExists extends AppError {
  constructor(id: string) {
    super('conflict', 'oauth.program_exists', `${id} has been entered already`);
  }
}

export class InvalidProgram extends AppError {
  constructor(problem: string) {
    super('invalid', 'oauth.invalid_program', problem);
  }
}

/** Thrown when signing in with programs is off or not available. */
export class OAuthIsOff extends AppError {
  constructor(why: string) {
    super('not_found', 'oauth.off', why);
  }
}

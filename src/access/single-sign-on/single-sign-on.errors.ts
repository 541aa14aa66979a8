import { AppError, type FieldProblem } from '../../platform/errors/app-error.js';
import { MAX_IDENTITIES, MAX_PROVIDERS, type LoginFailure } from './login-provider.js';

export class LoginProviderNotFound extends AppError {
  constructor(name: string) {
    super('not_found', 'sso.provider_not_found', `there is no login provider ${JSON.stringify(name.slice(0, 100))}`);
  }
}

export class LoginProviderExists extends AppError {
  constructor(name: string) {
    const message = 'is the name of another login provider: choose another name';
    super('conflict', 'sso.provider_exists', `${name} ${message}`, { fields: [{ path: 'name', message }] });
  }
}

export class TooManyLoginProviders extends AppError {
  constructor() {
    super('conflict', 'sso.too_many_providers', `there are ${MAX_PROVIDERS} login providers already: delete one first`);
  }
}

export class LoginProviderRefused extends AppError {
  constructor(problem: FieldProblem) {
    super('invalid', 'sso.provider_refused', `${problem.path} ${problem.message}`, { fields: [problem] });
  }
}

export class AccountIdentityNotFound extends AppError {
  constructor() {
    super('not_found', 'sso.identity_not_found', 'the account has no such link: it may have been removed');
  }
}

export class TooManyIdentities extends AppError {
  constructor() {
    super('conflict', 'sso.too_many_identities', `the account has ${MAX_IDENTITIES} links: remove one first`);
  }
}

/** Thrown when somebody without a password tries to remove their last identity. */
export class LastIdentity extends AppError {
  constructor() {
    const message = 'is how you log in, and you have no password: ask an administrator for one first';
    super('conflict', 'sso.last_identity', `the only link of the account ${message}`);
  }
}

export class BuiltInNotLinked extends AppError {
  constructor(name: string) {
    super(
      'conflict',
      'sso.built_in',
      `${name} is built in, and logs in with its password also when no provider answers: link an account of your own`,
    );
  }
}

/** Thrown when a login at a provider fails. `reason` is for the person, the message for the log. */
export class LoginRefused extends AppError {
  constructor(
    readonly reason: LoginFailure,
    message: string,
    /** The affected account; null = unknown. */
    readonly account: string | null = null,
  ) {
    super('denied', `sso.${reason}`, message);
  }
}

import { AppError, type FieldProblem } from '../../platform/errors/app-error.js';
import { MAX_PROVIDERS, type SignInFailure } from './sign-in-provider.js';

/** Thrown when there is no provider of that name. */
export class SignInProviderNotFound extends AppError {
  constructor(name: string) {
    super('not_found', 'sso.provider_not_found', `there is no sign-in provider ${JSON.stringify(name.slice(0, 100))}`);
  }
}

/** Thrown when the name of a new provider is taken. */
export class SignInProviderExists extends AppError {
  constructor(name: string) {
    const message = 'is the name of another sign-in provider: choose another name';
    super('conflict', 'sso.provider_exists', `${name} ${message}`, { fields: [{ path: 'name', message }] });
  }
}

/** Thrown when there are as many providers as the service takes. */
export class TooManySignInProviders extends AppError {
  constructor() {
    super(
      'conflict',
      'sso.too_many_providers',
      `there are ${MAX_PROVIDERS} sign-in providers already: delete one first`,
    );
  }
}

/** Thrown when what is said about a provider cannot be used. */
export class SignInProviderRefused extends AppError {
  constructor(problem: FieldProblem) {
    super('invalid', 'sso.provider_refused', `${problem.path} ${problem.message}`, { fields: [problem] });
  }
}

/** Thrown when somebody is not logged in by a provider. `reason` is for the person, the message for the log. */
export class SignInRefused extends AppError {
  constructor(
    readonly reason: SignInFailure,
    message: string,
    /** The account that it is about; null when none is known. */
    readonly account: string | null = null,
  ) {
    super('denied', `sso.${reason}`, message);
  }
}

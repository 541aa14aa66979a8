import { AppError } from '../errors/app-error.js';

/** Thrown at start with all problems of the environment. */
export class InvalidEnvironment extends AppError {
  constructor(readonly problems: readonly string[]) {
    super(
      'invalid',
      'config.invalid_environment',
      `${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}: ${problems.join('; ')}`,
    );
  }
}

import { AppError } from '../errors/app-error.js';

/** Thrown at start, with everything that is wrong with the environment at once. */
export class InvalidEnvironment extends AppError {
  constructor(readonly problems: readonly string[]) {
    super(
      'invalid',
      'config.invalid_environment',
      `${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}: ${problems.join('; ')}`,
    );
  }
}

import { AppError } from '../../../platform/errors/app-error.js';

/** Thrown when a module makes a request that is not allowed; the message tells its author what to do. */
export class RequestRefused extends Error {}

/** Thrown when a module returns an invalid result; the message is for its author. */
export class UnusableOutput extends AppError {
  constructor(problem: string) {
    super('invalid', 'modules.unusable_output', problem);
  }
}

export class ModuleCallFailed extends AppError {
  constructor(message: string) {
    super('invalid', 'modules.call_failed', message);
  }
}

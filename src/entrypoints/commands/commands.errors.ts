import { IS_CLONE } from '../../platform/environment/project-root.js';
import { AppError } from '../../platform/errors/app-error.js';
import { usageAsCalled } from './usage.rules.js';

/** Thrown when a command is called with wrong arguments. */
export class CommandMisused extends AppError {
  constructor(problem: string, usage: string) {
    super('invalid', 'commands.misused', `${problem}\nUsage: ${usageAsCalled(usage, IS_CLONE)}`);
  }
}

/** Thrown when a command would overwrite a file. */
export class FileExists extends AppError {
  constructor(path: string) {
    super('conflict', 'commands.file_exists', `There is a file ${path} already: choose another name.`);
  }
}

/** Thrown when a command is given a file that is not there. */
export class FileMissing extends AppError {
  constructor(path: string) {
    super('not_found', 'commands.file_missing', `There is no file ${path}.`);
  }
}

/** Thrown when some tests have failed. */
export class TestsFailed extends AppError {
  constructor(file: string) {
    super('invalid', 'commands.tests_failed', `Tests in ${file} have failed.`);
  }
}

import { AppError } from '../../platform/errors/app-error.js';
import { MOST_PACKAGES, type PackageProblem } from './files/package.js';

/** Thrown when there is no skill package of this name, or no such version or file of it. */
export class PackageNotFound extends AppError {
  constructor(name: string, part = '') {
    const what = part === '' ? `There is no skill package ${name}` : `The skill package ${name} has no ${part}`;
    super('not_found', 'packages.not_found', `${what}. The list of skill packages says what there is.`);
  }
}

/** Thrown when a package has mistakes. */
export class InvalidPackage extends AppError {
  constructor(problems: readonly PackageProblem[]) {
    const errors = problems.filter(({ severity }) => severity === 'error').slice(0, 50);
    const [first] = errors;
    const count = errors.length === 1 ? '1 mistake' : `${errors.length} mistakes`;
    const example = first ? `: ${first.file}:${first.line} ${first.message}` : '';
    super('invalid', 'packages.invalid', `the skill package has ${count}${example}`, {
      fields: errors.map(({ file, line, message }) => ({ path: file, line, message })),
    });
  }
}

/** Thrown when a folder of SKILLS_DIR has a package that is to be changed in the administration. */
export class PackageFromFolder extends AppError {
  constructor(name: string) {
    const message = `The skill package ${name} comes from a folder in SKILLS_DIR: change or remove its files there.`;
    super('conflict', 'packages.from_folder', message);
  }
}

/** Thrown when an uploaded package has the name of the folder of another one. */
export class PackageNameTaken extends AppError {
  constructor(name: string) {
    const message = `a skill package ${name} was uploaded in the administration: remove it there, or rename this one`;
    super('conflict', 'packages.name_taken', message);
  }
}

/** Thrown when there are as many packages as there may be. */
export class TooManyPackages extends AppError {
  constructor() {
    super('conflict', 'packages.too_many', `There are ${MOST_PACKAGES} skill packages already: remove one first.`);
  }
}

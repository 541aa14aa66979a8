import { AppError } from '../../platform/errors/app-error.js';
import { MOST_PACKAGES, type PackageProblem } from './files/package.js';

export class PackageNotFound extends AppError {
  constructor(name: string, part = '') {
    const what = part === '' ? `There is no skill package ${name}` : `The skill package ${name} has no ${part}`;
    super('not_found', 'packages.not_found', `${what}. The list of skill packages says what there is.`);
  }
}

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

export class PackageFromFolder extends AppError {
  constructor(name: string) {
    const message = `The skill package ${name} comes from a folder in SKILLS_DIR: change or remove its files there.`;
    super('conflict', 'packages.from_folder', message);
  }
}

export class PackageConflict extends AppError {
  /** @param basedOn 0 = a new package */
  constructor(
    readonly packageName: string,
    basedOn: number,
  ) {
    const what =
      basedOn === 0
        ? `There is a skill package ${packageName} already. Nothing was saved: edit that one, or choose another name.`
        : `The skill package ${packageName} has changed since version ${basedOn}. Nothing was saved: read it again, and repeat the change.`;
    super('outdated', 'packages.moved_on', what);
  }
}

export class PackageNameTaken extends AppError {
  constructor(name: string) {
    const message = `a skill package ${name} was uploaded in the administration: remove it there, or rename this one`;
    super('conflict', 'packages.name_taken', message);
  }
}

export class ProposalNotFound extends AppError {
  constructor(id: number) {
    const message = `There is no open proposal ${id}: it was decided, or its author has proposed something else.`;
    super('not_found', 'packages.proposal_not_found', message);
  }
}

/** Thrown when an accepted proposal would now result in another package than the administrator has seen. */
export class ProposalChanged extends AppError {
  constructor(name: string) {
    const message = `The skill package ${name} has changed since you looked at the proposal: look at it again.`;
    super('conflict', 'packages.proposal_changed', message);
  }
}

export class ProposalTooLong extends AppError {
  constructor(most: number) {
    const message = `the texts have more than ${most} characters together: leave files out, or shorten them`;
    super('invalid', 'packages.proposal_too_long', message);
  }
}

export class TooManyProposals extends AppError {
  constructor(most: number) {
    const message = `you have proposed ${most} skills in 24 hours: go on tomorrow`;
    super('conflict', 'packages.too_many_proposals', message);
  }
}

export class TooManyOpenProposals extends AppError {
  constructor(most: number) {
    const message = `${most} proposed skills wait for a decision already: an administrator must decide on them first`;
    super('conflict', 'packages.too_many_open_proposals', message);
  }
}

export class TooManyPackages extends AppError {
  constructor() {
    super('conflict', 'packages.too_many', `There are ${MOST_PACKAGES} skill packages already: remove one first.`);
  }
}

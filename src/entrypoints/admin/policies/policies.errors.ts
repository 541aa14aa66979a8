import { AppError, type FieldProblem } from '../../../platform/errors/app-error.js';
import { MOST_POLICIES } from '../../../access/policy/policy.js';

/** Thrown when there is no policy of this name. */
export class PolicyNotFound extends AppError {
  constructor(name: string) {
    super('not_found', 'policies.not_found', `there is no policy ${JSON.stringify(name)}: list the policies`);
  }
}

/** Thrown when a change is based on another version of a policy than the current one. */
export class PolicyConflict extends AppError {
  constructor(name: string) {
    super(
      'outdated',
      'policies.moved_on',
      `somebody has changed the policy ${JSON.stringify(name)}, or enabled or disabled it, in the meantime. Nothing was saved. Look at it, and save again if you still want to.`,
    );
  }
}

/** Thrown when the name of a new policy is taken. */
export class PolicyExists extends AppError {
  constructor(name: string) {
    super(
      'conflict',
      'policies.name_taken',
      `there is a policy ${JSON.stringify(name)} already: choose another name, or change that one`,
    );
  }
}

/** Thrown when a text is not a usable policy. */
export class InvalidPolicy extends AppError {
  constructor(problems: readonly Required<FieldProblem>[]) {
    const [first] = problems;
    const count = `${problems.length} ${problems.length === 1 ? 'mistake' : 'mistakes'}`;
    const example = first ? ` in line ${first.line}: ${first.message}` : '';
    super('invalid', 'policies.invalid_policy', `the policy has ${count}; the first is${example}`, {
      fields: problems,
    });
  }
}

/** Thrown when the limit of policies is reached. */
export class TooManyPolicies extends AppError {
  constructor() {
    super(
      'conflict',
      'policies.too_many',
      `there may be ${MOST_POLICIES} policies: delete some, or put several into one`,
    );
  }
}

import { AppError, type FieldProblem } from '../../../platform/errors/app-error.js';
import { MOST_POLICIES } from '../../../access/policy/policy.js';

export class PolicyNotFound extends AppError {
  constructor(name: string) {
    super('not_found', 'policies.not_found', `there is no policy ${JSON.stringify(name)}: list the policies`);
  }
}

export class PolicyConflict extends AppError {
  constructor(name: string) {
    super(
      'outdated',
      'policies.moved_on',
      `somebody has changed the policy ${JSON.stringify(name)}, or enabled or disabled it, in the meantime. Nothing was saved. Look at it, and save again if you still want to.`,
    );
  }
}

export class PolicyExists extends AppError {
  constructor(name: string) {
    super(
      'conflict',
      'policies.name_taken',
      `there is a policy ${JSON.stringify(name)} already: choose another name, or change that one`,
    );
  }
}

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

export class TooManyPolicies extends AppError {
  constructor() {
    super(
      'conflict',
      'policies.too_many',
      `there may be ${MOST_POLICIES} policies: delete some, or put several into one`,
    );
  }
}

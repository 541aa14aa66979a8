import { AppError } from '../../../platform/errors/app-error.js';

export class SkillNotInModule extends AppError {
  constructor(name: string, names: readonly string[]) {
    super('not_found', 'modules.skill_not_found', `The module has no skill ${name}: it has ${names.join(', ')}.`);
  }
}

/** Thrown when a call names none of the several skills of a module. */
export class SkillNotNamed extends AppError {
  constructor(names: readonly string[]) {
    const message = `The module has ${names.length} skills: choose ${names.slice(0, -1).join(', ')} or ${names.at(-1)}, with --skill, or with the option skill in a test.`;
    super('invalid', 'modules.skill_not_named', message);
  }
}

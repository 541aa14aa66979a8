import { AppError } from '../../../platform/errors/app-error.js';

export class SkillNotInModule extends AppError {
  constructor(name: string, names: readonly string[]) {
    super('not_found', 'modules.skill_not_found', `The module has no skill ${name}: it has ${names.join(', ')}.`);
  }
}

import { AppError } from '../errors/app-error.js';

/** Thrown when there is no skill of that name. */
export class SkillNotFound extends AppError {
  constructor(name: string) {
    super(
      'not_found',
      'skills.skill_not_found',
      `there is no skill ${JSON.stringify(name)}: list them to see the names`,
    );
  }
}

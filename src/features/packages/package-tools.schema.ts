import { Integer, Text } from '../../core/skills/skill-fields.decorators.js';
import { LONGEST_GIVEN } from '../../platform/text/search-lacks.rules.js';

export const DEFAULT_FOUND = 10;

export class SkillFindInput {
  @Text('What you are about to do, such as "write release notes". By default, all skills in alphabetical order.', {
    min: 1,
    max: LONGEST_GIVEN,
    optional: true,
  })
  query?: string;

  @Integer('How many skills to return, 1 to 100, for example 20.', {
    min: 1,
    max: 100,
    optional: true,
    default: DEFAULT_FOUND,
  })
  limit?: number;
}

export class SkillReadInput {
  @Text('Name of the skill, such as "release-notes".', { min: 1, max: 64 }) name!: string;

  @Text('Path of one of its files, such as "references/GUIDE.md". By default, its instructions.', {
    min: 1,
    max: 1_000,
    optional: true,
  })
  file?: string;
}

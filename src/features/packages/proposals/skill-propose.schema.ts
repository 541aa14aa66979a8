import { ArrayMaxSize, IsOptional } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { Nested } from '#skill-kit';
import { Text } from '../../../core/skills/skill-fields.decorators.js';
import type { WrittenFile } from '../files/package-draft.rules.js';
import { LONGEST_PROPOSED, MOST_PROPOSED_FILES } from './proposal.js';

class ProposedFile implements WrittenFile {
  @Text('Path in the skill, such as "references/STYLE.md".', { min: 1, max: 1_000 }) path!: string;

  @Text('The whole text of the file.', { max: LONGEST_PROPOSED }) text!: string;
}

export class SkillProposeInput {
  @Text('Name of the skill, such as "release-notes": lower-case letters, digits and single hyphens, at most 64.', {
    pattern: /^[a-z0-9-]{1,64}$/,
  })
  name!: string;

  @Text('What the skill does and when to use it, such as "How we write release notes. Use when ...".', {
    min: 1,
    max: 1_024,
  })
  description!: string;

  @Text('The instructions as Markdown: what to do, step by step. They may name files of the skill.', {
    min: 1,
    max: LONGEST_PROPOSED,
  })
  instructions!: string;

  @JSONSchema({
    description: `Text files that the skill gets or that change, at most ${MOST_PROPOSED_FILES}. Its other files stay. By default, none.`,
  })
  @IsOptional()
  @ArrayMaxSize(MOST_PROPOSED_FILES)
  @Nested(() => ProposedFile, { each: true })
  files?: ProposedFile[];
}

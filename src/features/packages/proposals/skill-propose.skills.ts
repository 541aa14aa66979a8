import { Injectable } from '@nestjs/common';
import { failure, Nested, Skill, type SkillContext, type SkillHandler, type SkillResult } from '#skill-kit';
import { ArrayMaxSize, IsOptional } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { ownerOf } from '../../../access/clients/owner.js';
import { ResourceRouter } from '../../../core/resources/resource.router.js';
import { isPackageName } from '../files/skill-file.rules.js';
import { InvalidPackage } from '../packages.errors.js';
import { uriOfPackage } from '../skill-packages.provider.js';
import { PackageProposals } from './package-proposals.service.js';
import { Text } from '../../../core/skills/skill-fields.decorators.js';
import type { WrittenFile } from '../files/package-draft.rules.js';
import { LONGEST_PROPOSED, MOST_PROPOSED_FILES } from './proposal.js';

class ProposedFile implements WrittenFile {
  @Text('Path in the skill, such as "references/STYLE.md".', { min: 1, max: 1_000 }) path!: string;

  @Text('The whole text of the file.', { max: LONGEST_PROPOSED }) text!: string;
}

class SkillProposeInput {
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

const OUTCOMES = {
  created: 'is proposed',
  replaced: 'is proposed, instead of what you proposed before',
  unchanged: 'was proposed like this already',
} as const;

@Skill({
  name: 'skill_propose',
  title: 'Propose a skill (instructions for a task)',
  description:
    'Use this when the user wants to keep how a kind of task is done here, or to correct a skill: it proposes a skill, or a new ' +
    'version of one, to the administrators. Nobody gets it until one of them accepts it. Read a skill with skill_read before ' +
    'you propose a new version.',
  input: SkillProposeInput,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
})
@Injectable()
export class SkillProposeSkill implements SkillHandler<SkillProposeInput> {
  constructor(
    private readonly proposals: PackageProposals,
    private readonly resources: ResourceRouter,
  ) {}

  /** @throws PackageFromFolder, ProposalTooLong, TooManyProposals, TooManyOpenProposals */
  async execute({ files = [], ...skill }: SkillProposeInput, { client }: SkillContext): Promise<string | SkillResult> {
    const { name } = skill;
    // Do not reveal whether a skill exists to clients that may not read it.
    if (isPackageName(name)) this.resources.assertMayRead(client, uriOfPackage({ name }));
    try {
      const outcome = await this.proposals.propose({ ...skill, files, author: ownerOf(client) });
      if (outcome === 'current') return `The skill ${name} is like this already: there is nothing to propose.`;
      return (
        `The skill ${name} ${OUTCOMES[outcome]}. Nobody gets it until an administrator accepts it (administration, Skill ` +
        'packages). Tell the user so.'
      );
    } catch (error) {
      if (!(error instanceof InvalidPackage)) throw error;
      const lines = (error.fields ?? []).map(({ path, line, message }) => `- ${path}:${line} ${message}`);
      return failure([`Not proposed: ${error.message}`, ...lines].join('\n'));
    }
  }
}

import { Injectable } from '@nestjs/common';
import { failure, Skill, type SkillContext, type SkillHandler, type SkillResult } from '#skill-kit';
import { ownerOf } from '../../../access/clients/owner.js';
import { ResourceRouter } from '../../../core/resources/resource.router.js';
import { isPackageName } from '../files/skill-file.rules.js';
import { InvalidPackage } from '../packages.errors.js';
import { uriOfPackage } from '../skill-packages.provider.js';
import { PackageProposals } from './package-proposals.service.js';
import { SkillProposeInput } from './skill-propose.schema.js';

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
      if (outcome === 'tooMany' || outcome === 'full') return failure('Not proposed: there are too many proposals.');
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

import { Injectable } from '@nestjs/common';
import { failure, Skill, type SkillContext, type SkillHandler, type SkillResult } from '#skill-kit';
import { ownerOf } from '../../../access/clients/owner.js';
import { SkillsService } from '../../../core/skills/skills.service.js';
import { InvalidWorkflow } from '../definitions/definitions.errors.js';
import { WorkflowDefinitions } from '../definitions/workflow-definitions.service.js';
import { problemsText, proposedText } from './authoring.rules.js';
import { DefinitionInput } from './authoring.schema.js';

@Skill({
  name: 'workflow_propose',
  title: 'Propose a workflow',
  description:
    'Use this when a workflow is valid and the user wants it: it becomes a draft that an administrator reads and enables. ' +
    'Until then it is no tool and no schedule starts it. Another text of a workflow needs a higher document.version.',
  input: DefinitionInput,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
})
@Injectable()
export class WorkflowProposeSkill implements SkillHandler<DefinitionInput> {
  constructor(
    private readonly definitions: WorkflowDefinitions,
    private readonly skills: SkillsService,
  ) {}

  /** @throws WorkflowNameTaken, VersionTaken, TooManyProposals */
  async execute({ definition }: DefinitionInput, { client }: SkillContext): Promise<string | SkillResult> {
    const mayTellOf = (name: string) => this.skills.mayUse(client, { name, tags: [] });
    try {
      const author = { owner: ownerOf(client), mayTellOf };
      const { version, ...saved } = await this.definitions.propose(definition, author);
      return proposedText(saved, version);
    } catch (error) {
      if (error instanceof InvalidWorkflow) return failure(`Not proposed. ${problemsText(error.problems)}`);
      throw error;
    }
  }
}

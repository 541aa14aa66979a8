import { Injectable } from '@nestjs/common';
import { Skill, type SkillContext, type SkillHandler } from '#skill-kit';
import { SkillsService } from '../../../core/skills/skills.service.js';
import { WorkflowDefinitions } from '../definitions/workflow-definitions.service.js';
import { problemsText } from './authoring.rules.js';
import { DefinitionInput } from './authoring.schema.js';

@Skill({
  name: 'workflow_check',
  title: 'Check a workflow',
  description:
    'Use this while you write a workflow: it returns every mistake, with its line and what to write instead, and saves ' +
    'nothing. Read workflow://reference first: the language is the Open Workflow DSL as this service runs it.',
  input: DefinitionInput,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
})
@Injectable()
export class WorkflowCheckSkill implements SkillHandler<DefinitionInput> {
  constructor(
    private readonly definitions: WorkflowDefinitions,
    private readonly skills: SkillsService,
  ) {}

  async execute({ definition: text }: DefinitionInput, { client }: SkillContext): Promise<string> {
    const mayTellOf = (name: string) => this.skills.mayUse(client, { name, tags: [] });
    const { definition, problems } = await this.definitions.validate(text, mayTellOf);
    if (!definition) return `Not valid. ${problemsText(problems)}`;
    const { name, version } = definition.document;
    const valid = `Valid: ${name} ${version}. workflow_propose offers it to the administrators.`;
    return problems.length === 0 ? valid : `${valid} ${problemsText(problems)}`;
  }
}

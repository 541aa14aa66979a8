import { Injectable } from '@nestjs/common';
import { Skill, type SkillContext, type SkillHandler, type SkillOutput } from '#skill-kit';
import { SHOWN_AS_RUN } from '../../../core/skills/skill-views.js';
import { RunCaller } from '../calls/run-caller.service.js';
import { taskNames } from '../calls/workflow-skills.service.js';
import { WorkflowDefinitions } from '../definitions/workflow-definitions.service.js';
import { TriedInput } from './authoring.schema.js';

@Skill({
  name: 'workflow_try',
  title: 'Try a proposed workflow',
  description:
    'Use this to run a version that you have proposed, before anybody enables it. Its steps have their real effects and need ' +
    'your permissions. Returns the result, or the run that run_status follows. Then raise document.version to change it.',
  input: TriedInput,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  meta: SHOWN_AS_RUN,
})
@Injectable()
export class WorkflowTrySkill implements SkillHandler<TriedInput> {
  constructor(
    private readonly definitions: WorkflowDefinitions,
    private readonly caller: RunCaller,
  ) {}

  /** @throws WorkflowNotFound when the version is not one that the client has proposed; RunInputTooLarge */
  async execute({ name, version, input = {} }: TriedInput, { client, ...context }: SkillContext): Promise<SkillOutput> {
    const definition = await this.definitions.getProposed(name, version, client.name);
    const run = {
      program: 'workflow',
      name,
      version,
      input: input,
      origin: 'call',
      client,
      idempotencyKey: context.step?.idempotencyKey ?? null,
      isTest: true,
    } as const;
    if (context.step) return this.caller.callWithin(run, context.signal);
    const isBackground = definition.document.metadata?.['background'] === true;
    return this.caller.call({ run, isBackground, tasks: taskNames(definition) }, context);
  }
}

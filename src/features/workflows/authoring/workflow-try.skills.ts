import { Injectable } from '@nestjs/common';
import { Skill, type SkillContext, type SkillHandler, type SkillOutput } from '#skill-kit';
import { ownerOf } from '../../../access/clients/owner.js';
import { SHOWN_AS_RUN } from '../../../core/skills/skill-views.js';
import { blockOf } from '../runs/repeats.service.js';
import { RunCaller } from '../calls/run-caller.service.js';
import { taskNames } from '../calls/workflow-skills.service.js';
import { triedTask } from '../definitions/tried-task.rules.js';
import { WorkflowDefinitions } from '../definitions/workflow-definitions.service.js';
import { TriedInput } from './authoring.schema.js';

@Skill({
  name: 'workflow_try',
  title: 'Try a proposed workflow',
  description:
    'Use this to run a version that you have proposed, before anybody enables it. Its steps have their real effects and need ' +
    'your permissions. It sends no events, and receives none. With task, only that task runs, on the input that you give it. Returns the result, or the run that run_status follows. Then raise document.version to change it.',
  input: TriedInput,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  meta: SHOWN_AS_RUN,
  startsRun: true,
})
@Injectable()
export class WorkflowTrySkill implements SkillHandler<TriedInput> {
  constructor(
    private readonly definitions: WorkflowDefinitions,
    private readonly caller: RunCaller,
  ) {}

  /** @throws WorkflowNotFound when the client has not proposed the version; TaskNotFound, RunInputTooLarge */
  async execute(
    { name, version, task, variables = {}, input = {} }: TriedInput,
    { client, ...context }: SkillContext,
  ): Promise<SkillOutput> {
    const definition = await this.definitions.getProposed(name, version, ownerOf(client));
    const run = {
      program: 'workflow',
      name,
      version,
      input,
      origin: 'call',
      client,
      idempotencyKey: context.step?.idempotencyKey ?? null,
      isTest: true,
      depth: context.depth,
    } as const;
    const tried = task === undefined ? undefined : triedTask({ task, variables }, definition);
    const beginning = tried && { entry: blockOf(tried.task, input, tried.variables), takesOver: null };
    if (context.step) return this.caller.callWithin(run, context.step, context.signal, beginning);
    const isBackground = definition.document.metadata?.['background'] === true;
    const tasks = beginning ? [] : taskNames(definition);
    return this.caller.call({ run, isBackground, tasks, beginning }, context);
  }
}

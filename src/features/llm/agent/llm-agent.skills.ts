import { Injectable } from '@nestjs/common';
import { Skill, type SkillContext, type SkillHandler, type SkillOutput } from '#skill-kit';
import { SHOWN_AS_RUN } from '../../../core/skills/skill-views.js';
import { RunCaller } from '../../workflows/calls/run-caller.service.js';
import { AGENT, AGENT_ANSWER, AgentInput } from './agent.schema.js';

@Skill({
  name: AGENT,
  title: 'Have a language model use tools',
  description:
    'Use this in a step of a workflow for a task whose steps are not known before: a language model calls the tools that you ' +
    'name until it is done. A call that may destroy something waits for a person. Returns its answer, the calls and the tokens used.',
  input: AgentInput,
  output: AGENT_ANSWER,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  tags: ['llm'],
  meta: SHOWN_AS_RUN,
  startsRun: true,
})
@Injectable()
export class LlmAgent implements SkillHandler<AgentInput> {
  constructor(private readonly caller: RunCaller) {}

  /** @throws RunInputTooLarge, and the reason of the context's signal */
  async execute(input: AgentInput, { client, ...context }: SkillContext): Promise<SkillOutput> {
    const run = {
      program: 'agent',
      name: AGENT,
      version: null,
      input: { ...input },
      origin: 'call',
      client,
      idempotencyKey: context.step?.idempotencyKey ?? null,
      isTest: false,
      depth: context.depth,
    } as const;
    if (context.step) return this.caller.callWithin(run, context.step, context.signal);
    return this.caller.call({ run, isBackground: false, tasks: [] }, context);
  }
}

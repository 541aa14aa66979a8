import { Injectable } from '@nestjs/common';
import { IsObject, IsOptional } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import type { JsonObject } from '#open-workflow';
import { Skill, type SkillContext, type SkillHandler } from '#skill-kit';
import { ownerOf } from '../../../access/clients/owner.js';
import { OneOf, Text } from '../../../core/skills/skill-fields.decorators.js';
import { SkillsService } from '../../../core/skills/skills.service.js';
import { USED_BY_RUN_VIEW } from '../../../core/skills/skill-views.js';
import { AnswerTokens } from './answer-tokens.service.js';
import { NotFromView } from './runs.errors.js';
import { RunAnswers } from './run-answers.service.js';
import { RunsService } from './runs.service.js';

class RunAnswerInput {
  @Text('Id of the run, such as "0123456789abcdef0123456789abcdef": 32 characters of 0 to 9 and a to f.', {
    pattern: /^[0-9a-f]{32}$/,
  })
  id!: string;

  @Text('The step that asks, such as "/do/0/confirm", as the view of the run names it.', { min: 1, max: 2_000 })
  step!: string;

  @OneOf('Whether the person answers, for example "accept", or refuses to: "decline".', ['accept', 'decline'])
  action!: 'accept' | 'decline';

  @Text('What the view holds so that the answer counts: the token that came with the run.', { min: 1, max: 100 })
  token!: string;

  @JSONSchema({ description: 'What the person has entered, such as {"version": "1.2"}. By default, nothing.' })
  @IsOptional()
  @IsObject()
  content?: JsonObject;
}

/** For the view of a run, in which a person answers: assistants without the view do not see this tool. */
@Skill({
  name: 'run_answer',
  title: 'Answer a question of a run',
  description:
    'Use this only from the view of a run, with what a person has entered there. It answers the question of a step, and the ' +
    'run continues.',
  input: RunAnswerInput,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  meta: USED_BY_RUN_VIEW,
})
@Injectable()
export class RunAnswerSkill implements SkillHandler<RunAnswerInput> {
  constructor(
    private readonly answers: RunAnswers,
    private readonly tokens: AnswerTokens,
    private readonly runs: RunsService,
    private readonly skills: SkillsService,
  ) {}

  /**
   * @throws NotFromView, RunNotFound when the run is not the client's, SkillDenied when policy forbids its tool by now,
   * AnsweredElsewhere, QuestionNotOpen, AnswerInvalid
   */
  async execute({ id, step, action, token, content }: RunAnswerInput, { client }: SkillContext): Promise<string> {
    if (!(await this.tokens.isValid(token, id, ownerOf(client)))) throw new NotFromView(id);
    this.skills.assertVisible(client, (await this.runs.get(id, client)).name);
    await this.answers.answerAsCaller(id, step, { action, content: content ?? null, client });
    return 'The run continues with the answer.';
  }
}

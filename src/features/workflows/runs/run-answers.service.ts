import { Injectable } from '@nestjs/common';
import { ANSWER_EVENT, type Answer, type CloudEvent } from '#open-workflow';
import type { Owner } from '../../../access/clients/owner.js';
import { SchemaChecks } from '../../../core/skills/schema-checks.service.js';
import { RunEngine } from './execution/run-engine.js';
import type { OpenQuestion } from './run.js';
import { AnsweredElsewhere, AnswerInvalid, QuestionNotOpen } from './runs.errors.js';
import { RunsService } from './runs.service.js';

/** An answer of the client that started a run. */
export type AnswerOfCaller = Pick<Answer, 'action' | 'content'> & { client: Owner };

@Injectable()
export class RunAnswers {
  constructor(
    private readonly runs: RunsService,
    private readonly engine: RunEngine,
    private readonly checks: SchemaChecks,
  ) {}

  /**
   * Delivers the answer of the client that started a run, or of the person who uses it. Programs without a person cancel
   * immediately: this leaves the question open for somebody else.
   * @throws RunNotFound when it is another client's; AnsweredElsewhere, QuestionNotOpen, AnswerInvalid
   */
  async answerAsCaller(id: string, step: string, { client, action, content }: AnswerOfCaller): Promise<void> {
    const open = await this.openQuestion((await this.runs.get(id, client)).id, step);
    if (open.notCaller) throw new AnsweredElsewhere(id);
    if (action !== 'cancel') await this.give(id, step, { action, content, by: client.name });
  }

  /**
   * Delivers an answer to a waiting step of a run, from somebody who may answer all questions.
   * @throws RunNotFound, QuestionNotOpen, AnswerInvalid
   */
  async give(id: string, step: string, { action, content, by }: Answer): Promise<void> {
    const open = await this.openQuestion((await this.runs.get(id)).id, step);
    if (action === 'accept') {
      const problems = await this.checks.problems(open.question.schema, content ?? {});
      if (problems.length > 0) throw new AnswerInvalid(problems);
    }
    const answer: Answer = { action, content: action === 'accept' ? (content ?? {}) : null, by };
    const event: CloudEvent = {
      specversion: '1.0',
      id: `${id}:${step}`,
      source: `run://${id}`,
      type: ANSWER_EVENT,
      subject: step,
      time: new Date().toISOString(),
      data: answer,
    };
    if (!(await this.engine.answer(id, step, event))) throw new QuestionNotOpen(id, step);
  }

  /** @throws QuestionNotOpen */
  private async openQuestion(id: string, step: string): Promise<OpenQuestion> {
    const open = (await this.runs.questions(id)).find((question) => question.step === step);
    if (!open) throw new QuestionNotOpen(id, step);
    return open;
  }
}

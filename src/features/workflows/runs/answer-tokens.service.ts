import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SecretsService } from '../../../platform/secrets/secrets.service.js';

/** The key of the token in `_meta` of a result, which programs pass to views but do not show to models. */
export const ANSWER_TOKEN_META = 'agent-service/answer-token';

/**
 * Makes tokens that the view of a run has but the model does not, so that answers to `run_answer` must come from the view. A
 * token is valid for one run and its owner, on every replica.
 */
@Injectable()
export class AnswerTokens {
  constructor(private readonly secrets: SecretsService) {}

  async make(runId: string, owner: string): Promise<string> {
    return (await this.digest(runId, owner)).toString('base64url');
  }

  async isValid(token: string, runId: string, owner: string): Promise<boolean> {
    const [presented, expected] = [Buffer.from(token, 'base64url'), await this.digest(runId, owner)];
    return presented.length === expected.length && timingSafeEqual(presented, expected);
  }

  private async digest(runId: string, owner: string): Promise<Buffer> {
    const key = await this.secrets.get('runs.answer_token');
    return createHmac('sha256', key).update(`${runId} ${owner}`).digest();
  }
}

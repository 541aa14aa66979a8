import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SecretsService } from '../../../platform/secrets/secrets.service.js';

/** Where a result carries the token: programs pass `_meta` to views, and do not show it to models. */
export const ANSWER_TOKEN_META = 'agent-service/answer-token';

/**
 * Makes what the view of a run holds and the model does not, so that the answers of `run_answer` come from the view. A token
 * is for one run and its owner, on every replica.
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

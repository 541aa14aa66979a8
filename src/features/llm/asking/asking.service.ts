import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import type { SkillContext } from '#skill-kit';
import { ToolLimitsService } from '../../../core/skills/skill-catalogue.service.js';
import { TokenBudget } from '../budget/token-budget.service.js';
import { estimatedTokens, totalOf } from '../models/tokens.rules.js';
import { ModelFailed } from '../models/llm.errors.js';
import { ChatAnswer } from '../models/chat-answer.js';
import { ChatApi } from '../models/chat-api.service.js';
import type { ChatRequest } from '../models/chat-request.rules.js';
import { hostOf, quoted } from '../models/refusal.rules.js';
import { type LlmModel, LlmModels } from '../models/llm-models.service.js';
import { LlmCall } from './llm-call.js';
import { nextTry, patienceOf } from './retry.rules.js';

export interface LlmAnswer {
  text: string;
  /** Name of the model that answered. */
  model: string;
  /** True when the answer was cut off at `maxTokens`. */
  isCut: boolean;
}

/** Added to the timeout, so that the time limit of the call stops it first, with a helpful message. */
const LATE_MS = 1_000;

/** Asks models within the budget: retries transient failures, then uses the fallback model. */
@Injectable()
export class Asking {
  private readonly logger = new Logger(Asking.name);

  constructor(
    private readonly models: LlmModels,
    private readonly api: ChatApi,
    private readonly budget: TokenBudget,
    private readonly limits: ToolLimitsService,
  ) {}

  /** Starts a call of a tool, and its time limit. */
  begin(tool: string, context: SkillContext): LlmCall {
    return new LlmCall(context, this.limits.timeoutOf(tool).value);
  }

  /**
   * @param name name of the model; null = the first one
   * @throws NoModel, UnknownModel, ModelKeyUnusable, ModelFailed, BudgetReached, and the reason of the call's signal
   */
  async ask(name: string | null, request: ChatRequest, call: LlmCall): Promise<LlmAnswer> {
    let [model, fallback] = this.models.choose(name);
    for (let tries = 1; ; tries += 1) {
      const hasFallback = fallback !== undefined;
      try {
        return await this.askOnce(model, request, call, hasFallback);
      } catch (error) {
        if (!(error instanceof ModelFailed)) throw error;
        const { remedy, retryAfterMs } = error;
        // Without the API's message, which may quote the prompt.
        this.logger.warn({ model: model.name, host: hostOf(model), status: error.status }, 'A language model failed');
        const next = nextTry({ remedy, retryAfterMs, tries, leftMs: call.leftMs, hasFallback });
        if (next.kind === 'wait') {
          await pause(next.delayMs, undefined, { signal: call.signal });
          continue;
        }
        if (next.kind === 'give_up' || fallback === undefined) throw error;
        [model, fallback, tries] = [fallback, undefined, 0];
      }
    }
  }

  private async askOnce(
    model: LlmModel,
    request: ChatRequest,
    call: LlmCall,
    hasFallback: boolean,
  ): Promise<LlmAnswer> {
    const { schema, messages } = request;
    const prompt = [...messages.map(({ content }) => content), ...(schema === null ? [] : [JSON.stringify(schema)])];
    const { principal, signal, leftMs } = call;
    const reserved = await this.budget.reserve(principal, estimatedTokens(...prompt) + request.maxTokens);
    call.begin();
    const answer = new ChatAnswer(prompt, (part) => call.receive(part));
    try {
      const limits = { signal, timeoutMs: Math.ceil(leftMs + LATE_MS), patienceMs: patienceOf(leftMs, hasFallback) };
      await this.api.ask(model, request, answer, limits);
    } finally {
      call.spend(answer.tokens);
      await this.budget.settle(reserved, totalOf(answer.tokens));
    }
    const { text, finish, refusal, tokens } = answer;
    this.logger.debug({ model: model.name, client: principal, ...tokens }, 'A language model answered');
    if (refusal !== '' || finish === 'content_filter') throw refused(model, refusal);
    return { text, model: model.name, isCut: finish === 'length' };
  }
}

const refused = (model: LlmModel, reason: string) =>
  new ModelFailed(
    `${model.name} does not want to answer: ${reason === '' ? 'its filter for contents stopped it' : quoted(reason, model)}. Ask for something else.`,
    { remedy: null },
  );

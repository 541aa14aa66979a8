import { Injectable } from '@nestjs/common';
import { TokenBudget } from '../../../features/llm/budget/token-budget.service.js';
import type { LlmUsageView } from './llm-usage.schema.js';

/** Tells administrators what language models cost. */
@Injectable()
export class AdminLlmUsage {
  constructor(private readonly budget: TokenBudget) {}

  async current(): Promise<LlmUsageView> {
    const { limits, used, clients } = await this.budget.report();
    return {
      used,
      totalLimit: limits.total || null,
      limit: limits.own || null,
      clients: clients.map(({ principal, tokens }) => ({ client: principal, tokens })),
    };
  }
}

import { Injectable } from '@nestjs/common';
import { nameOfOwner } from '../../../access/clients/owner.js';
import { TokenBudget, type TokenReport } from '../../../features/llm/budget/token-budget.service.js';
import type { LlmUsageView } from './llm-usage.schema.js';

/** Reports the token usage of language models to administrators. */
@Injectable()
export class AdminLlmUsage {
  constructor(private readonly budget: TokenBudget) {}

  async current(): Promise<LlmUsageView> {
    const { limits, used, clients } = await this.budget.report();
    return {
      used,
      totalLimit: limits.total || null,
      limit: limits.own || null,
      clients: byName(clients),
    };
  }
}

/** Sums up the tokens by name: several clients may have had the same name, one after the other. */
function byName(used: TokenReport['clients']): LlmUsageView['clients'] {
  const tokens = new Map<string, number>();
  for (const one of used) {
    const client = nameOfOwner(one.principal);
    tokens.set(client, (tokens.get(client) ?? 0) + one.tokens);
  }
  return [...tokens].map(([client, total]) => ({ client, tokens: total })).sort((a, b) => b.tokens - a.tokens);
}

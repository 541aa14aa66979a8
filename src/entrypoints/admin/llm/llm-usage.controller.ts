import { Get } from '@nestjs/common';
import { nameOfOwner } from '../../../access/clients/owner.js';
import { TokenBudget, type TokenReport } from '../../../features/llm/budget/token-budget.service.js';
import { AdminController, Operation, Returns } from '../api/admin-controller.decorator.js';
import { Amount, Parts, Text } from '../api/fields.decorators.js';

class ClientUsageView {
  @Text({ says: 'Name of a client; admin and service = runs that an administrator or a trigger starts.' })
  client!: string;
  @Amount({ says: 'Tokens that it has used, or reserved for requests in progress.' }) tokens!: number;
}

class LlmUsageView {
  @Amount({ says: 'Tokens of all clients together.' }) used!: number;
  @Amount({ nullable: true, says: 'Limit of all clients together; null = none.' }) totalLimit!: number | null;
  @Amount({ nullable: true, says: 'Limit of each client; null = none.' }) limit!: number | null;
  @Parts(ClientUsageView, { says: 'The 100 clients that have used most, the one with the most first.' })
  clients!: ClientUsageView[];
}

@AdminController('llm-usage')
export class LlmUsageController {
  constructor(private readonly budget: TokenBudget) {}

  @Get()
  @Operation('getLlmUsage', 'Returns the tokens of language models that clients have used this month')
  @Returns(LlmUsageView)
  async current(): Promise<LlmUsageView> {
    const { limits, used, clients } = await this.budget.report();
    return { used, totalLimit: limits.total || null, limit: limits.own || null, clients: byName(clients) };
  }
}

/** Sums up the tokens by name: several clients may have had the same name, one after the other. */
function byName(used: TokenReport['clients']): ClientUsageView[] {
  const tokens = new Map<string, number>();
  for (const one of used) {
    const client = nameOfOwner(one.principal);
    tokens.set(client, (tokens.get(client) ?? 0) + one.tokens);
  }
  return [...tokens].map(([client, total]) => ({ client, tokens: total })).sort((a, b) => b.tokens - a.tokens);
}

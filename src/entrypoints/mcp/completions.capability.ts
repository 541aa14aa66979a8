import { type CompleteRequestParams, type ServerContext, specTypeSchemas } from '@modelcontextprotocol/server';
import { Injectable } from '@nestjs/common';
import { callerOf } from '#mcp-http';
import type { Client } from '#skill-kit';
import type { Suggestions } from '../../core/resources/resource-store.js';
import { ResourceRouter } from '../../core/resources/resource.router.js';
import { PromptsService } from '../../core/skills/prompts.service.js';
import { type Capability, handler } from './capability.js';

/** Maximum number of values in one response (specification 2026-07-28, server/utilities/completion). */
const MAX_VALUES = 100;

/** `completion/complete`: values for prompt arguments and for the variables of resource templates. */
@Injectable()
export class CompletionsCapability implements Capability {
  readonly handlers = [
    handler('completion/complete', specTypeSchemas.CompleteRequestParams, (params, ctx) => this.complete(params, ctx)),
  ];

  constructor(
    private readonly prompts: PromptsService,
    private readonly resources: ResourceRouter,
  ) {}

  private async complete(params: CompleteRequestParams, ctx: ServerContext) {
    const { values, areAll } = await this.suggestionsFor(params, ctx);
    const hasMore = values.length > MAX_VALUES;
    return {
      completion: {
        values: values.slice(0, MAX_VALUES),
        ...(areAll && { total: values.length }),
        // Unless all values were examined, it is unknown whether the client may see any of the others.
        ...((areAll || hasMore) && { hasMore }),
      },
    };
  }

  private async suggestionsFor(
    { ref, argument, context }: CompleteRequestParams,
    ctx: ServerContext,
  ): Promise<Suggestions> {
    const client = callerOf<Client>(ctx);
    if (ref.type === 'ref/prompt') {
      const asked = { argument: argument.name, prefix: argument.value };
      return { values: await this.prompts.suggest(client, ref.name, asked), areAll: true };
    }
    const completion = { variable: argument.name, prefix: argument.value, chosen: context?.arguments ?? {} };
    return this.resources.complete(client, ref.uri, completion);
  }
}

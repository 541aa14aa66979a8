import {
  type CompleteRequestParams,
  type Server,
  type ServerContext,
  specTypeSchemas,
} from '@modelcontextprotocol/server';
import { Injectable } from '@nestjs/common';
import { callerOf } from '#mcp-http';
import type { Client } from '#skill-kit';
import { ResourceRouter } from '../resources/resource.router.js';
import { PromptsService } from '../skills/prompts.service.js';
import { type Capability, handler } from './capability.js';

/** How many values one answer may have (specification 2026-07-28, server/utilities/completion). */
const MAX_VALUES = 100;

/** `completion/complete`: values for prompt arguments and for the variables of resource templates. */
@Injectable()
export class CompletionsCapability implements Capability {
  private readonly completion = handler('completion/complete', specTypeSchemas.CompleteRequestParams, (params, ctx) =>
    this.complete(params, ctx),
  );

  constructor(
    private readonly prompts: PromptsService,
    private readonly resources: ResourceRouter,
  ) {}

  register(server: Server): void {
    this.completion(server);
  }

  private async complete(params: CompleteRequestParams, ctx: ServerContext) {
    const values = await this.valuesFor(params, ctx);
    return {
      completion: { values: values.slice(0, MAX_VALUES), total: values.length, hasMore: values.length > MAX_VALUES },
    };
  }

  private valuesFor({ ref, argument, context }: CompleteRequestParams, ctx: ServerContext): Promise<string[]> {
    const client = callerOf<Client>(ctx);
    if (ref.type === 'ref/prompt')
      return this.prompts.suggest(client, ref.name, { argument: argument.name, prefix: argument.value });
    const completion = { variable: argument.name, prefix: argument.value, chosen: context?.arguments ?? {} };
    return this.resources.complete(client, ref.uri, completion);
  }
}

import {
  type GetPromptRequestParams,
  type Prompt,
  type ServerContext,
  specTypeSchemas,
} from '@modelcontextprotocol/server';
import { Injectable } from '@nestjs/common';
import { callerOf } from '#mcp-http';
import { type Client, isInputRequired } from '#skill-kit';
import type { PromptDefinition } from '../../core/skills/prompt.registry.js';
import { PromptsService } from '../../core/skills/prompts.service.js';
import { type Capability, handler, pageOf } from './capability.js';
import { InputRequests } from './input-requests.service.js';

const { PaginatedRequestParams, GetPromptRequestParams } = specTypeSchemas;

/** `prompts/list` and `prompts/get`. */
@Injectable()
export class PromptsCapability implements Capability {
  readonly handlers = [
    handler('prompts/list', PaginatedRequestParams, (params, ctx) => this.list(params?.cursor, ctx)),
    handler('prompts/get', GetPromptRequestParams, (params, ctx) => this.get(params, ctx)),
  ];

  constructor(
    private readonly prompts: PromptsService,
    private readonly inputRequests: InputRequests,
  ) {}

  private async list(cursor: string | undefined, ctx: ServerContext) {
    const { page, ...next } = pageOf(this.prompts.list(callerOf<Client>(ctx)), cursor);
    return { prompts: page.map(toPrompt), ...next };
  }

  private async get({ name, arguments: args = {} }: GetPromptRequestParams, ctx: ServerContext) {
    const subject = { method: 'prompts/get', name, arguments: args } as const;
    const { answers, state } = this.inputRequests.answersOf(subject, ctx);
    const rendered = await this.prompts.render(name, args, { client: callerOf<Client>(ctx), answers, state });
    if (isInputRequired(rendered)) return this.inputRequests.toResult(subject, rendered, ctx);
    return { description: this.prompts.get(name).description, messages: rendered };
  }
}

function toPrompt({ name, title, description, arguments: args }: PromptDefinition): Prompt {
  return { name, ...(title && { title }), description, ...(args && { arguments: [...args] }) };
}

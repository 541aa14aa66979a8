import { Injectable } from '@nestjs/common';
import type { Client, InputRequired } from '#skill-kit';
import { type PromptContext, type PromptDefinition, type PromptMessage, PromptRegistry } from './prompt.registry.js';
import { PromptArgumentMissing, PromptNotFound } from './skills.errors.js';

@Injectable()
export class PromptsService {
  constructor(private readonly registry: PromptRegistry) {}

  list(_client: Client): PromptDefinition[] {
    return this.registry.list();
  }

  /** Returns the messages of a prompt, or a request for input. @throws PromptNotFound, PromptArgumentMissing */
  async render(
    name: string,
    args: Record<string, string>,
    context: PromptContext,
  ): Promise<PromptMessage[] | InputRequired> {
    const prompt = this.get(name);
    for (const argument of prompt.arguments ?? []) {
      if (argument.required && args[argument.name] === undefined) throw new PromptArgumentMissing(name, argument.name);
    }
    return prompt.get(args, context);
  }

  /** Returns values for an argument of a prompt that start with `prefix`. @throws PromptNotFound */
  async complete(name: string, argument: string, prefix: string): Promise<string[]> {
    return (await this.get(name).complete?.(argument, prefix)) ?? [];
  }

  get(name: string): PromptDefinition {
    const prompt = this.registry.find(name);
    if (!prompt) throw new PromptNotFound(name);
    return prompt;
  }
}

import { Injectable } from '@nestjs/common';
import type { Client, Content, InputRequired, JsonObject } from '#skill-kit';
import { EventBus } from '../../platform/events/event-bus.service.js';

interface PromptArgument {
  name: string;
  description?: string;
  required?: boolean;
}

export interface PromptMessage {
  role: 'user' | 'assistant';
  content: Content;
}

export interface PromptContext {
  readonly client: Client;
  readonly answers: Readonly<JsonObject>;
  readonly state: unknown;
}

/** A reusable opening of a conversation; most clients show it as a slash command. */
export interface PromptDefinition {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly arguments?: readonly PromptArgument[];
  /** The canonical URI of the resource that it shows: only clients that may read it may use the prompt. */
  readonly uri?: string;
  get(args: Record<string, string>, context: PromptContext): Promise<PromptMessage[] | InputRequired>;
  /** Returns values for an argument that start with `prefix`. */
  complete?(argument: string, prefix: string): Promise<string[]>;
}

interface Replacement {
  removed: readonly string[];
  added: readonly PromptDefinition[];
  /** True when another replica has notified the clients. */
  isFromElsewhere: boolean;
}

/** Holds every prompt that the service offers, by name; lists them in alphabetical order. */
@Injectable()
export class PromptRegistry {
  private readonly prompts = new Map<string, PromptDefinition>();

  constructor(private readonly events: EventBus) {}

  register(...prompts: PromptDefinition[]): void {
    for (const prompt of prompts) this.prompts.set(prompt.name, prompt);
    this.events.emit('prompts.changed', {});
  }

  /** Replaces prompts in one change. Returns the names that were refused because another prompt has them. */
  replace({ removed, added, isFromElsewhere }: Replacement): string[] {
    for (const name of removed) this.prompts.delete(name);
    const refused = added.filter(({ name }) => this.prompts.has(name)).map(({ name }) => name);
    for (const prompt of added) if (!refused.includes(prompt.name)) this.prompts.set(prompt.name, prompt);
    this.events.emit('prompts.changed', { ...(isFromElsewhere && { isFromElsewhere }) });
    return refused;
  }

  find(name: string): PromptDefinition | undefined {
    return this.prompts.get(name);
  }

  list(): PromptDefinition[] {
    return [...this.prompts.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }
}

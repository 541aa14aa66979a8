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
  get(args: Record<string, string>, context: PromptContext): Promise<PromptMessage[] | InputRequired>;
  /** Returns values for an argument that start with `prefix`. */
  complete?(argument: string, prefix: string): Promise<string[]>;
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

  remove(...names: string[]): void {
    const removed = names.filter((name) => this.prompts.delete(name));
    if (removed.length > 0) this.events.emit('prompts.changed', {});
  }

  find(name: string): PromptDefinition | undefined {
    return this.prompts.get(name);
  }

  list(): PromptDefinition[] {
    return [...this.prompts.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }
}

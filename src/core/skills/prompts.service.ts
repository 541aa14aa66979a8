import { Injectable } from '@nestjs/common';
import type { Client, InputRequired } from '#skill-kit';
import type { PolicyDecision, PromptUsed } from '../../platform/events/app-events.js';
import { EventBus } from '../../platform/events/event-bus.service.js';
import type { ListedSubject } from '../../access/policy/policy-request.js';
import { NOT_ASKED, PolicyService } from '../../access/policy/policy.service.js';
import { type PromptContext, type PromptDefinition, type PromptMessage, PromptRegistry } from './prompt.registry.js';
import { PromptArgumentMissing, PromptDenied, PromptNotFound } from './skills.errors.js';

/** An argument of a prompt, with the text entered so far. */
interface PromptCompletion {
  argument: string;
  prefix: string;
}

@Injectable()
export class PromptsService {
  constructor(
    private readonly registry: PromptRegistry,
    private readonly policy: PolicyService,
    private readonly events: EventBus,
  ) {}

  /** Returns the prompts that this client may use, in alphabetical order. */
  list(client: Client): PromptDefinition[] {
    return this.registry.list().filter((prompt) => this.mayShow(client, prompt));
  }

  /** Returns whether the last change of policies changed the client's list of prompts. */
  hasOtherList(client: Client): boolean {
    return this.policy.showsOthers(client, this.registry.list().flatMap(subjectsOf));
  }

  /**
   * Returns the messages of a prompt, or a request for input.
   * @throws PromptNotFound, PromptDenied, PromptArgumentMissing
   */
  async render(
    name: string,
    args: Record<string, string>,
    context: PromptContext,
  ): Promise<PromptMessage[] | InputRequired> {
    const startedAt = performance.now();
    const { client } = context;
    const prompt = this.registry.find(name);
    const decision = prompt ? this.decide(client, name) : NOT_ASKED;
    let outcome: PromptUsed['outcome'] = 'error';
    try {
      const messages = await this.permitted(name, decision).get(this.complete(name, args), context);
      outcome = 'ok';
      return messages;
    } catch (error) {
      outcome = outcomeOf(error);
      throw error;
    } finally {
      const durationMs = performance.now() - startedAt;
      this.events.emit('prompt.used', {
        prompt: name,
        ...(prompt?.uri !== undefined && { uri: prompt.uri }),
        client,
        arguments: args,
        decision,
        outcome,
        durationMs,
        at: new Date(),
      });
    }
  }

  /** Returns values for an argument of a prompt that start with `prefix`. @throws PromptNotFound, PromptDenied */
  async suggest(client: Client, name: string, { argument, prefix }: PromptCompletion): Promise<string[]> {
    this.get(name); // policy decisions are cached, so names that clients make up must not reach the policy
    const prompt = this.permitted(name, this.decide(client, name));
    return (await prompt.complete?.(argument, prefix)) ?? [];
  }

  private mayShow(client: Client, prompt: PromptDefinition): boolean {
    return subjectsOf(prompt).every((subject) => this.policy.mayShow(client, subject));
  }

  private decide(client: Client, name: string): PolicyDecision {
    const decision = this.policy.decide({ client, action: 'getPrompt', prompt: name });
    const uri = this.registry.find(name)?.uri;
    if (!decision.allowed || uri === undefined) return decision;
    const reading = this.policy.decide({ client, action: 'readResource', uri });
    return reading.allowed ? decision : reading;
  }

  private permitted(name: string, decision: PolicyDecision): PromptDefinition {
    const prompt = this.get(name);
    if (!decision.allowed) throw new PromptDenied(name, decision);
    return prompt;
  }

  /** Returns the arguments if no required one is missing. @throws PromptArgumentMissing */
  private complete(name: string, args: Record<string, string>): Record<string, string> {
    for (const argument of this.get(name).arguments ?? []) {
      if (argument.required && !Object.hasOwn(args, argument.name))
        throw new PromptArgumentMissing(name, argument.name);
    }
    return args;
  }

  get(name: string): PromptDefinition {
    const prompt = this.registry.find(name);
    if (!prompt) throw new PromptNotFound(name);
    return prompt;
  }
}

/** Returns the permissions that a client needs for a prompt. */
const subjectsOf = ({ name, uri }: PromptDefinition): ListedSubject[] => [
  { action: 'getPrompt', prompt: name },
  ...(uri === undefined ? [] : [{ action: 'readResource', uri } as const]),
];

function outcomeOf(error: unknown): PromptUsed['outcome'] {
  if (error instanceof PromptDenied) return 'denied';
  if (error instanceof PromptNotFound) return 'unknown';
  return error instanceof PromptArgumentMissing ? 'invalid' : 'error';
}

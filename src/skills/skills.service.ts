import { Injectable, Logger } from '@nestjs/common';
import {
  type Client,
  failure,
  type InputRequired,
  isInputRequired,
  type JsonObject,
  type SkillContext,
  type SkillDefinition,
  type SkillResult,
} from '#skill-kit';
import { SettingsService } from '../config/settings.service.js';
import type { ToolOutcome } from '../events/app-events.js';
import { EventBus } from '../events/event-bus.service.js';
import { PolicyService } from '../policy/policy.service.js';
import { SkillCatalogue } from './skill-catalogue.service.js';
import { ExecutionStopped, executeWithin, toSkillResult } from './skill-execution.js';
import { SkillRegistry } from './skill.registry.js';
import { SkillNotFound } from './skills.errors.js';

/** The part of a skill's context that the caller provides. */
export type CallContext = Omit<SkillContext, 'client'>;

interface Ended {
  outcome: ToolOutcome;
  result: SkillResult | InputRequired;
}

/** Runs every tool call: checks the policy, finds the skill, validates, executes within the time limit, reports. */
@Injectable()
export class SkillsService {
  private readonly logger = new Logger(SkillsService.name);

  constructor(
    private readonly registry: SkillRegistry,
    private readonly catalogue: SkillCatalogue,
    private readonly policy: PolicyService,
    private readonly settings: SettingsService,
    private readonly events: EventBus,
  ) {}

  /** Returns the skills that this client may call, in alphabetical order. */
  list(client: Client): SkillDefinition[] {
    return this.registry
      .list()
      .filter(({ name }) => this.catalogue.isEnabled(name) && this.mayCall(client, name).allowed);
  }

  /** Checks that an enabled skill has this name. @throws SkillNotFound */
  assertCallable(name: string): void {
    this.resolve(name);
  }

  /** Calls a skill. Whatever goes wrong in the call itself gives a result with `isError`. @throws SkillNotFound */
  async call(
    client: Client,
    name: string,
    args: JsonObject,
    context: CallContext,
  ): Promise<SkillResult | InputRequired> {
    const startedAt = performance.now();
    const { outcome, result } = await this.attempt(client, name, args, context);
    this.events.emit('tool.called', {
      tool: name,
      client: client.name,
      outcome,
      durationMs: performance.now() - startedAt,
      message: outcome === 'ok' || isInputRequired(result) ? null : messageOf(result),
      at: new Date(),
    });
    return result;
  }

  private async attempt(client: Client, name: string, args: JsonObject, context: CallContext): Promise<Ended> {
    const decision = this.mayCall(client, name, args);
    const skill = this.resolve(name);
    if (!decision.allowed) return ended('denied', deniedMessage(name, decision.policy));
    const parsed = skill.parse(args);
    if ('problems' in parsed) return ended('invalid', invalidMessage(name, parsed.problems));
    try {
      return await this.execute(client, skill, parsed.input, context);
    } catch (error) {
      return this.failed(name, error);
    }
  }

  private mayCall(client: Client, name: string, args?: JsonObject) {
    return this.policy.decide({
      principal: client,
      action: 'callTool',
      resource: name,
      ...(args && { context: args }),
    });
  }

  private resolve(name: string): SkillDefinition {
    const skill = this.registry.find(name);
    if (!skill || !this.catalogue.isEnabled(name)) throw new SkillNotFound(name);
    return skill;
  }

  private async execute(client: Client, skill: SkillDefinition, input: object, context: CallContext): Promise<Ended> {
    const limitMs = this.settings.get('mcp.tool_timeout_ms');
    const output = await executeWithin(limitMs, context.signal, skill, input, { ...context, client });
    if (isInputRequired(output)) return { outcome: 'ok', result: output };
    const result = toSkillResult(skill, output);
    return { outcome: result.isError ? 'error' : 'ok', result };
  }

  private failed(name: string, error: unknown): Ended {
    if (!(error instanceof ExecutionStopped)) {
      this.logger.warn({ err: error, tool: name }, 'A skill threw');
      return ended('error', `The tool ${name} failed: ${error instanceof Error ? error.message : String(error)}`);
    }
    if (error.outcome === 'cancelled') return ended('cancelled', `The call of ${name} was cancelled.`);
    const limitMs = this.settings.get('mcp.tool_timeout_ms');
    return ended(
      'timeout',
      `The tool ${name} did not finish within ${limitMs} ms and was stopped. Ask for less at once, or have the ` +
        'administrator raise mcp.tool_timeout_ms.',
    );
  }
}

const ended = (outcome: ToolOutcome, message: string): Ended => ({ outcome, result: failure(message) });

const deniedMessage = (name: string, policy: string | null) =>
  `Not allowed: ${policy ? `policy ${policy} forbids` : 'no policy permits'} this call of ${name}. Ask the administrator.`;

const invalidMessage = (name: string, problems: string[]) =>
  `The arguments do not fit the input schema of ${name}:\n${problems.map((problem) => `- ${problem}`).join('\n')}\n` +
  'Correct them and call again.';

function messageOf(result: SkillResult): string {
  const [first] = result.content;
  return first?.type === 'text' ? first.text : 'no message';
}

import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { JsonObject, SkillAnnotations, SkillDefinition } from '#skill-kit';
import { EventBus } from '../../platform/events/event-bus.service.js';
import { SerialQueue } from '../../platform/periodic/serial-queue.js';
import { SettingsService } from '../../platform/config/settings.service.js';
import { catalogueWarnings, skillWarnings } from './skill-catalogue.rules.js';
import { type SkillChange, type SkillState, SkillStateStore } from './skill-state.store.js';
import { SkillRegistry } from './skill.registry.js';
import { SkillNotFound } from './skills.errors.js';
import { NO_TOOL_LIMITS, type ToolLimits } from './tool-limits.js';

/** A skill as administrators see it. */
export interface CatalogueEntry extends ToolLimits {
  name: string;
  title: string | null;
  description: string;
  inputSchema: JsonObject;
  outputSchema: JsonObject | null;
  annotations: SkillAnnotations | null;
  enabled: boolean;
  /** Properties that some clients can't handle. */
  warnings: string[];
}

const UNDECIDED: SkillState = Object.freeze({ enabled: true, ...NO_TOOL_LIMITS });

/**
 * Lists the registered skills with the administrators' decisions: a skill is enabled until it is disabled, and has the global
 * limits until it gets its own.
 */
@Injectable()
export class SkillCatalogue implements OnModuleInit {
  private readonly logger = new Logger('SkillCatalogue');
  private readonly checked = new Set<string>();
  private states: ReadonlyMap<string, SkillState> = new Map();
  /** An older state must not replace a newer one. */
  private readonly changing = new SerialQueue();

  constructor(
    private readonly registry: SkillRegistry,
    private readonly store: SkillStateStore,
    private readonly events: EventBus,
  ) {
    events.on('skills.changed', ({ names }) => names.forEach((name) => this.logWarnings(name)));
  }

  async onModuleInit(): Promise<void> {
    this.states = await this.store.list();
  }

  /** Returns whether there is a skill of this name, enabled or not. */
  has(name: string): boolean {
    return this.registry.find(name) !== undefined;
  }

  isEnabled(name: string): boolean {
    return this.states.get(name)?.enabled ?? true;
  }

  /** Returns a skill's own limits, even if no skill of this name is registered. */
  limitsOf(name: string): ToolLimits {
    return this.states.get(name) ?? NO_TOOL_LIMITS;
  }

  /** Returns all skills in alphabetical order. */
  list(): CatalogueEntry[] {
    return this.registry.list().map((skill) => this.describe(skill));
  }

  /** @throws SkillNotFound */
  get(name: string): CatalogueEntry {
    const skill = this.registry.find(name);
    if (!skill) throw new SkillNotFound(name, this.registry.whyAbsent(name));
    return this.describe(skill);
  }

  /** Returns warnings about the catalogue as a whole that concern some clients. */
  warnings(): string[] {
    return catalogueWarnings(this.registry.list().filter((skill) => this.isEnabled(skill.name)).length);
  }

  /** Changes the decisions about a skill; absent members stay unchanged. @throws SkillNotFound */
  update(name: string, change: SkillChange): Promise<CatalogueEntry> {
    return this.changing.run(() => this.apply(name, change));
  }

  /** Applies the changes made by another replica. */
  reload(): Promise<void> {
    return this.changing.run(() => this.applyStored());
  }

  private async apply(name: string, change: SkillChange): Promise<CatalogueEntry> {
    const before = this.stateOf(this.get(name).name);
    await this.store.save(name, change, new Date());
    const after = { ...this.stateOf(name), ...defined(change) };
    this.states = new Map(this.states).set(name, after);
    if (after.enabled !== before.enabled) this.events.emit('skills.changed', { names: [name] });
    else if (!sameLimits(after, before)) this.events.emit('skill.limits_changed', { name });
    return this.get(name);
  }

  private async applyStored(): Promise<void> {
    const before = this.states;
    this.states = await this.store.list();
    const names = [...new Set([...before.keys(), ...this.states.keys()])].filter(
      (name) => (before.get(name) ?? UNDECIDED).enabled !== this.isEnabled(name),
    );
    if (names.length > 0) this.events.emit('skills.changed', { names, isFromElsewhere: true });
  }

  private stateOf(name: string): SkillState {
    return this.states.get(name) ?? UNDECIDED;
  }

  private describe(skill: SkillDefinition): CatalogueEntry {
    return {
      name: skill.name,
      title: skill.title ?? null,
      description: skill.description,
      inputSchema: skill.inputSchema,
      outputSchema: skill.outputSchema ?? null,
      annotations: skill.annotations ?? null,
      ...this.stateOf(skill.name),
      warnings: skillWarnings(skill),
    };
  }

  private logWarnings(name: string): void {
    const skill = this.registry.find(name);
    if (!skill) {
      this.checked.delete(name); // check it again if it comes back, perhaps changed
      return;
    }
    if (this.checked.has(name)) return;
    this.checked.add(name);
    for (const warning of skillWarnings(skill)) this.logger.warn(`skill ${name}: ${warning}`);
  }
}

const sameLimits = (one: ToolLimits, other: ToolLimits): boolean =>
  one.timeoutMs === other.timeoutMs && one.maxResultBytes === other.maxResultBytes;

/** Drops undefined members: spreading them would remove existing values. */
const defined = (change: SkillChange): Partial<SkillState> =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));

/** An effective limit for the calls of a tool. */
export interface LimitInForce {
  value: number;
  /** Where an administrator can change it. */
  source: string;
}

/** Returns the effective limits for the calls of a tool: its own, or else the global ones. */
@Injectable()
export class ToolLimitsService {
  constructor(
    private readonly catalogue: SkillCatalogue,
    private readonly settings: SettingsService,
  ) {}

  /** Returns how long a call of the tool may take, in ms. */
  timeoutOf(tool: string): LimitInForce {
    return this.inForce(tool, this.catalogue.limitsOf(tool).timeoutMs, 'mcp.tool_timeout_ms');
  }

  /** Returns the maximum size of the tool's results, in bytes of JSON. */
  resultOf(tool: string): LimitInForce {
    return this.inForce(tool, this.ownResultOf(tool), 'mcp.max_result_bytes');
  }

  /** Returns the tool's own limit for the size of results; null when it has none. */
  ownResultOf(tool: string): number | null {
    return this.catalogue.limitsOf(tool).maxResultBytes;
  }

  /** Returns how long a call may wait for a person's approval. */
  approvalMinutes(): number {
    return this.settings.get('policy.approval_timeout_minutes');
  }

  private inForce(
    tool: string,
    own: number | null,
    setting: 'mcp.tool_timeout_ms' | 'mcp.max_result_bytes',
  ): LimitInForce {
    if (own === null) return { value: this.settings.get(setting), source: `the setting ${setting}` };
    return { value: own, source: `the limit of the tool ${tool} on its page under Skills` };
  }
}

/** Tells the caller of a tool why there is no result. */
export const tooLargeMessage = (bytes: number, { value, source }: LimitInForce): string =>
  `The result is too large: ${bytes} bytes of JSON, the limit is ${value}. Ask for less at once, or have the administrator ` +
  `raise ${source}.`;

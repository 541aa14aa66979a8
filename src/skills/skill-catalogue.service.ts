import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { JsonObject, SkillAnnotations, SkillDefinition } from '#skill-kit';
import { EventBus } from '../events/event-bus.service.js';
import { type Page, type PageRequest, parseCursor, toPage } from '../paging/page-cursor.js';
import { catalogueWarnings, skillWarnings } from './skill-catalogue.rules.js';
import { SkillStateStore } from './skill-state.store.js';
import { SkillRegistry } from './skill.registry.js';
import { SkillNotFound } from './skills.errors.js';

/** A skill as administrators see it. */
export interface CatalogueEntry {
  name: string;
  title: string | null;
  description: string;
  inputSchema: JsonObject;
  outputSchema: JsonObject | null;
  annotations: SkillAnnotations | null;
  enabled: boolean;
  /** What some clients can't handle about the skill. */
  warnings: string[];
}

/**
 * Lists the registered skills with their state, and enables or disables them. A skill is enabled until it is disabled.
 */
@Injectable()
export class SkillCatalogue implements OnModuleInit {
  private readonly logger = new Logger('SkillCatalogue');
  private readonly checked = new Set<string>();
  private disabled = new Set<string>();

  constructor(
    private readonly registry: SkillRegistry,
    private readonly states: SkillStateStore,
    private readonly events: EventBus,
  ) {
    events.on('skills.changed', ({ names }) => names.forEach((name) => this.logWarnings(name)));
  }

  async onModuleInit(): Promise<void> {
    this.disabled = new Set(await this.states.listDisabled());
  }

  isEnabled(name: string): boolean {
    return !this.disabled.has(name);
  }

  /** Returns all skills in alphabetical order. */
  list(): CatalogueEntry[] {
    return this.registry.list().map((skill) => this.describe(skill));
  }

  /**
   * Returns one page of skills in alphabetical order; with `q`, only those whose name, title or description contains
   * it.
   */
  listPage({ q = '', limit, cursor }: PageRequest & { q?: string | undefined }): Page<CatalogueEntry> {
    const [after = ''] = cursor === undefined ? [] : parseCursor(cursor, 1);
    const wanted = q.toLowerCase();
    const found = this.registry.list().filter((skill) => skill.name > after && matches(skill, wanted));
    const page = toPage(found.slice(0, limit + 1), limit, (skill) => [skill.name]);
    return { ...page, items: page.items.map((skill) => this.describe(skill)) };
  }

  /** @throws SkillNotFound */
  get(name: string): CatalogueEntry {
    const skill = this.registry.find(name);
    if (!skill) throw new SkillNotFound(name);
    return this.describe(skill);
  }

  /** Returns what some clients can't handle about the catalogue as a whole. */
  warnings(): string[] {
    return catalogueWarnings(this.registry.list().filter((skill) => this.isEnabled(skill.name)).length);
  }

  /** @throws SkillNotFound */
  async setEnabled(name: string, enabled: boolean): Promise<CatalogueEntry> {
    const { enabled: before } = this.get(name);
    await this.states.save(name, enabled, new Date());
    if (enabled) this.disabled.delete(name);
    else this.disabled.add(name);
    if (enabled !== before) this.events.emit('skills.changed', { names: [name] });
    return this.get(name);
  }

  /** Takes over the states that were changed on another replica. */
  async reload(): Promise<void> {
    const before = this.disabled;
    this.disabled = new Set(await this.states.listDisabled());
    const names = [...new Set([...before, ...this.disabled])].filter(
      (name) => before.has(name) !== this.disabled.has(name),
    );
    if (names.length > 0) this.events.emit('skills.changed', { names, isFromElsewhere: true });
  }

  private describe(skill: SkillDefinition): CatalogueEntry {
    return {
      name: skill.name,
      title: skill.title ?? null,
      description: skill.description,
      inputSchema: skill.inputSchema,
      outputSchema: skill.outputSchema ?? null,
      annotations: skill.annotations ?? null,
      enabled: this.isEnabled(skill.name),
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

function matches(skill: SkillDefinition, wanted: string): boolean {
  return [skill.name, skill.title ?? '', skill.description].some((text) => text.toLowerCase().includes(wanted));
}

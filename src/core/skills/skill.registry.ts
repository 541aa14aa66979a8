import { Injectable, type OnModuleInit, type Provider, type Type } from '@nestjs/common';
import { assertDefined, defineSkill, InvalidSkill, type SkillDefinition, type SkillHandler } from '#skill-kit';
import { EventBus } from '../../platform/events/event-bus.service.js';

interface Replacement {
  removed: readonly string[];
  added: readonly SkillDefinition[];
  /** True when another replica has notified the clients. */
  isFromElsewhere: boolean;
}

/** The skills of the service by name, enabled or not; listed in alphabetical order. */
@Injectable()
export class SkillRegistry {
  private readonly skills = new Map<string, SkillDefinition>();
  /** Why a skill of the service is not registered, by name. */
  private readonly absences = new Map<string, string>();
  private sorted: readonly SkillDefinition[] | null = null; // null = not sorted yet

  constructor(private readonly events: EventBus) {}

  /**
   * Registers skills as tools: all of them, or none.
   * @throws InvalidSkill when a name or a schema is invalid, or a name is taken
   */
  register(...handlers: SkillHandler[]): void {
    this.add(handlers.map((handler) => defineSkill(handler)));
  }

  /** Registers skills as tools: all of them, or none. @throws InvalidSkill */
  add(definitions: readonly SkillDefinition[]): void {
    const added = new Map<string, SkillDefinition>();
    for (const skill of definitions) {
      assertDefined(skill);
      if (this.skills.has(skill.name) || added.has(skill.name)) throw taken(skill.name);
      added.set(skill.name, skill);
    }
    for (const [name, skill] of added) this.skills.set(name, skill);
    this.changed([...added.keys()]);
  }

  remove(...names: string[]): void {
    this.changed(this.delete(names));
  }

  /**
   * Replaces skills in one change. @throws InvalidSkill, and changes nothing, when a definition was not made by `defineSkill`
   * @returns the refused definitions, whose names are taken, with the errors: another of `added` may have the name
   */
  replace({ removed, added, isFromElsewhere }: Replacement): Map<SkillDefinition, InvalidSkill> {
    added.forEach(assertDefined);
    const refused = new Map<SkillDefinition, InvalidSkill>();
    const names = new Set(this.delete(removed));
    for (const skill of added) {
      if (this.skills.has(skill.name)) refused.set(skill, taken(skill.name));
      else this.skills.set(skill.name, skill);
      names.add(skill.name);
    }
    this.changed([...names], isFromElsewhere);
    return refused;
  }

  /** @param reason what it takes to have these skills, such as 'it needs ...' */
  explainAbsence(names: readonly string[], reason: string): void {
    for (const name of names) this.absences.set(name, reason);
  }

  /** Returns what it takes to have a skill that is not registered; undefined = the service has none of this name. */
  whyAbsent(name: string): string | undefined {
    return this.skills.has(name) ? undefined : this.absences.get(name);
  }

  find(name: string): SkillDefinition | undefined {
    return this.skills.get(name);
  }

  list(): readonly SkillDefinition[] {
    return (this.sorted ??= [...this.skills.values()].sort((a, b) => (a.name < b.name ? -1 : 1)));
  }

  private delete(names: readonly string[]): string[] {
    return names.filter((name) => this.skills.delete(name));
  }

  private changed(names: string[], isFromElsewhere = false): void {
    if (names.length === 0) return;
    this.sorted = null;
    this.events.emit('skills.changed', { names, ...(isFromElsewhere && { isFromElsewhere }) });
  }
}

/** A provider that registers skills as tools when the application starts. */
export const registersSkills = (...skills: Type<SkillHandler>[]): Provider => ({
  provide: Symbol('skills to register'),
  useFactory: (registry: SkillRegistry, ...handlers: SkillHandler[]): OnModuleInit => ({
    onModuleInit: () => registry.register(...handlers),
  }),
  inject: [SkillRegistry, ...skills],
});

const taken = (name: string) => new InvalidSkill(`the skill name ${name} is taken: rename one of the two skills`);

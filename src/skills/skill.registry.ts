import { Injectable } from '@nestjs/common';
import { defineSkill, InvalidSkill, type SkillDefinition, type SkillHandler } from '#skill-kit';
import { EventBus } from '../events/event-bus.service.js';

/** Holds every skill of the service by name, enabled or not; lists them in alphabetical order. */
@Injectable()
export class SkillRegistry {
  private readonly skills = new Map<string, SkillDefinition>();
  private sorted: readonly SkillDefinition[] | null = null; // null = must be sorted again

  constructor(private readonly events: EventBus) {}

  /** Offers skills as tools from now on. @throws InvalidSkill when a name or a schema is invalid, or a name is taken */
  register(...handlers: SkillHandler[]): void {
    this.add(handlers.map(defineSkill));
  }

  add(definitions: SkillDefinition[]): void {
    for (const skill of definitions) {
      if (this.skills.has(skill.name))
        throw new InvalidSkill(`the skill name ${skill.name} is taken: rename one of the two skills`);
      this.skills.set(skill.name, skill);
    }
    this.changed(definitions.map((skill) => skill.name));
  }

  remove(...names: string[]): void {
    const removed = names.filter((name) => this.skills.delete(name));
    if (removed.length > 0) this.changed(removed);
  }

  find(name: string): SkillDefinition | undefined {
    return this.skills.get(name);
  }

  list(): readonly SkillDefinition[] {
    return (this.sorted ??= [...this.skills.values()].sort((a, b) => (a.name < b.name ? -1 : 1)));
  }

  private changed(names: string[]): void {
    this.sorted = null;
    this.events.emit('skills.changed', { names });
  }
}

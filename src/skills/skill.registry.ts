import { Injectable } from '@nestjs/common';
import { defineSkill, InvalidSkill, type SkillDefinition, type SkillHandler } from '#skill-kit';
import { EventBus } from '../events/event-bus.service.js';

/** Every skill the service knows, by name, in alphabetical order: enabled or not. */
@Injectable()
export class SkillRegistry {
  private readonly skills = new Map<string, SkillDefinition>();
  private sorted: readonly SkillDefinition[] | null = null; // null = to be sorted again

  constructor(private readonly events: EventBus) {}

  /** Offers skills as tools from now on. @throws InvalidSkill when a name is bad or taken, or a schema is not one */
  register(...handlers: SkillHandler[]): void {
    this.add(handlers.map(defineSkill));
  }

  add(definitions: SkillDefinition[]): void {
    for (const skill of definitions) {
      if (this.skills.has(skill.name))
        throw new InvalidSkill(`skill name ${skill.name} is taken: rename one of the two`);
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

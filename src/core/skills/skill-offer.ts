import type { SkillDefinition } from '#skill-kit';
import type { EventBus } from '../../platform/events/event-bus.service.js';
import type { SkillRegistry } from './skill.registry.js';

/** Skills that a part of the service offers together, each as long as it has its name, and as soon as that is free. */
export class SkillOffer {
  private wanted: readonly SkillDefinition[] = [];
  private offered: readonly SkillDefinition[] = [];

  /** @param onRefused told each time that a name is taken */
  constructor(
    private readonly registry: SkillRegistry,
    events: EventBus,
    private readonly onRefused: (reason: Error) => void,
  ) {
    events.on('skills.changed', ({ names, isFromElsewhere = false }) => {
      if (this.wanted.some(({ name }) => names.includes(name) && !registry.find(name)))
        this.replace(this.wanted, isFromElsewhere);
    });
  }

  /**
   * Offers these skills in place of those before.
   * @param isFromElsewhere whether another replica tells the clients
   */
  replace(wanted: readonly SkillDefinition[], isFromElsewhere: boolean): void {
    const { offered } = this;
    this.wanted = wanted;
    const removed = offered.filter((one) => !wanted.includes(one)).map(({ name }) => name);
    const added = wanted.filter((one) => !offered.includes(one));
    const refused = this.registry.replace({ removed, added, isFromElsewhere });
    this.offered = wanted.filter(({ name }) => !refused.has(name));
    for (const reason of refused.values()) this.onRefused(reason);
  }
}

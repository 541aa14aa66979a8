import type { SkillDefinition } from '#skill-kit';
import type { EventBus } from '../../platform/events/event-bus.service.js';
import type { SkillRegistry } from './skill.registry.js';

/** A set of skills that a component offers. Each is registered while its name is available, and as soon as the name becomes free. */
export class SkillOffer {
  private wanted: readonly SkillDefinition[] = [];
  private offered: readonly SkillDefinition[] = [];

  /** @param onRefused called for each skill whose name is taken */
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
   * Replaces the offered skills.
   * @param isFromElsewhere true when another replica notifies the clients
   */
  replace(wanted: readonly SkillDefinition[], isFromElsewhere: boolean): void {
    const { offered } = this;
    this.wanted = wanted;
    const removed = offered.filter((one) => !wanted.includes(one)).map(({ name }) => name);
    const added = wanted.filter((one) => !offered.includes(one));
    const refused = this.registry.replace({ removed, added, isFromElsewhere });
    this.offered = wanted.filter((one) => !refused.has(one));
    for (const reason of refused.values()) this.onRefused(reason);
  }
}

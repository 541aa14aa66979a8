import { Injectable, Logger } from '@nestjs/common';
import type { SkillDefinition } from '#skill-kit';
import { SettingsService } from '../../platform/config/settings.service.js';
import { EventBus } from '../../platform/events/event-bus.service.js';
import { SkillOffer } from './skill-offer.js';
import { SkillRegistry } from './skill.registry.js';

type Switch = 'packages.proposals' | 'mcp.search_and_fetch';

/** Offers skills while a setting is "on": each tool uses context of every client. */
@Injectable()
export class SwitchedSkills {
  private readonly logger = new Logger(SwitchedSkills.name);

  constructor(
    private readonly settings: SettingsService,
    private readonly events: EventBus,
    private readonly registry: SkillRegistry,
  ) {}

  /** From now on, offers the skills whenever the setting is "on", each while its name is not taken. */
  offerWhileOn(setting: Switch, skills: readonly SkillDefinition[]): void {
    const warn = ({ message }: Error) => this.logger.warn(`a tool is not offered: ${message}`);
    const offer = new SkillOffer(this.registry, this.events, warn);
    const names = skills.map(({ name }) => name);
    this.registry.explainAbsence(names, `an administrator must set ${setting} to "on"`);
    const follow = (isFromElsewhere: boolean) =>
      offer.replace(this.settings.get(setting) === 'on' ? skills : [], isFromElsewhere);
    this.events.on('setting.changed', ({ key, isFromElsewhere = false }) => {
      if (key === setting) follow(isFromElsewhere);
    });
    follow(false);
  }
}

import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { defineSkill } from '#skill-kit';
import { SkillRegistry } from '../../../core/skills/skill.registry.js';
import { SettingsService } from '../../../platform/config/settings.service.js';
import { EventBus } from '../../../platform/events/event-bus.service.js';
import { SkillProposeSkill } from './skill-propose.skills.js';

/** Offers the tool that proposes packages, while the administrator lets assistants. */
@Injectable()
export class ProposalOffers implements OnModuleInit {
  private readonly logger = new Logger(ProposalOffers.name);
  private isOffered = false;

  constructor(
    private readonly settings: SettingsService,
    private readonly events: EventBus,
    private readonly registry: SkillRegistry,
    private readonly propose: SkillProposeSkill,
  ) {}

  onModuleInit(): void {
    this.events.on('setting.changed', ({ key, isFromElsewhere = false }) => {
      if (key === 'packages.proposals') this.offer(isFromElsewhere);
    });
    this.offer(false);
  }

  /** @param isFromElsewhere whether another replica tells the clients */
  private offer(isFromElsewhere: boolean): void {
    const isWanted = this.settings.get('packages.proposals') === 'on';
    if (isWanted === this.isOffered) return;
    const skill = defineSkill(this.propose);
    const change = isWanted ? { removed: [], added: [skill] } : { removed: [skill.name], added: [] };
    const refused = this.registry.replace({ ...change, isFromElsewhere });
    for (const { message } of refused.values())
      this.logger.warn(`assistants cannot propose skill packages: ${message}`);
    this.isOffered = isWanted && refused.size === 0;
  }
}

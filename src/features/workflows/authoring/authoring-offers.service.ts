import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { defineSkill, skillOptionsOf } from '#skill-kit';
import { SettingsService } from '../../../platform/config/settings.service.js';
import { EventBus } from '../../../platform/events/event-bus.service.js';
import { PromptRegistry } from '../../../core/skills/prompt.registry.js';
import { SkillOffer } from '../../../core/skills/skill-offer.js';
import { SkillRegistry } from '../../../core/skills/skill.registry.js';
import { AuthoringSkills } from './authoring-skills.provider.js';
import { WRITE_WORKFLOW } from './write-workflow.prompt.js';

/** Offers the tools and prompts for writing workflows to assistants, while the administrator allows it. */
@Injectable()
export class AuthoringOffers implements OnModuleInit {
  private readonly logger = new Logger(AuthoringOffers.name);
  private readonly tools: SkillOffer;
  private isOffered = false;
  /** The names of the offered prompts, which no others had taken. */
  private written: string[] = [];

  constructor(
    private readonly settings: SettingsService,
    private readonly events: EventBus,
    private readonly registry: SkillRegistry,
    private readonly prompts: PromptRegistry,
    private readonly skills: AuthoringSkills,
  ) {
    const warn = ({ message }: Error) => this.logger.warn(`an assistant cannot write workflows: ${message}`);
    this.tools = new SkillOffer(registry, events, warn);
  }

  onModuleInit(): void {
    const names = this.skills.all.map((skill) => skillOptionsOf(skill).name);
    this.registry.explainAbsence(names, 'an administrator must set workflows.authoring to "on"');
    this.events.on('setting.changed', ({ key, isFromElsewhere = false }) => {
      if (key === 'workflows.authoring') this.offer(isFromElsewhere);
    });
    this.offer(false);
  }

  /** @param isFromElsewhere whether another replica notifies the clients */
  private offer(isFromElsewhere: boolean): void {
    const isWanted = this.settings.get('workflows.authoring') === 'on';
    if (isWanted === this.isOffered) return;
    this.isOffered = isWanted;
    this.tools.replace(isWanted ? this.skills.all.map((skill) => defineSkill(skill)) : [], isFromElsewhere);
    const written = isWanted ? [WRITE_WORKFLOW] : [];
    const taken = this.prompts.replace({ removed: this.written, added: written, isFromElsewhere });
    this.written = written.map(({ name }) => name).filter((name) => !taken.includes(name));
  }
}

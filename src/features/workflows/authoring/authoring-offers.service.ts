import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { defineSkill } from '#skill-kit';
import { SettingsService } from '../../../platform/config/settings.service.js';
import { EventBus } from '../../../platform/events/event-bus.service.js';
import { PromptRegistry } from '../../../core/skills/prompt.registry.js';
import { SkillRegistry } from '../../../core/skills/skill.registry.js';
import { AuthoringSkills } from './authoring-skills.provider.js';
import { WRITE_WORKFLOW } from './write-workflow.prompt.js';

/** Offers what assistants need to write workflows, while the administrator lets them. */
@Injectable()
export class AuthoringOffers implements OnModuleInit {
  private readonly logger = new Logger(AuthoringOffers.name);
  private isOffered = false;
  /** The names that were not taken by others. */
  private offered: { tools: string[]; prompts: string[] } = { tools: [], prompts: [] };

  constructor(
    private readonly settings: SettingsService,
    private readonly events: EventBus,
    private readonly registry: SkillRegistry,
    private readonly prompts: PromptRegistry,
    private readonly skills: AuthoringSkills,
  ) {}

  onModuleInit(): void {
    this.events.on('setting.changed', ({ key, isFromElsewhere = false }) => {
      if (key === 'workflows.authoring') this.offer(isFromElsewhere);
    });
    this.offer(false);
  }

  /** @param isFromElsewhere whether another replica tells the clients */
  private offer(isFromElsewhere: boolean): void {
    const isWanted = this.settings.get('workflows.authoring') === 'on';
    if (isWanted === this.isOffered) return;
    this.isOffered = isWanted;
    const { tools, prompts } = this.offered;
    const skills = isWanted ? this.skills.all.map((skill) => defineSkill(skill)) : [];
    const refused = this.registry.replace({ removed: tools, added: skills, isFromElsewhere });
    const written = isWanted ? [WRITE_WORKFLOW] : [];
    const taken = this.prompts.replace({ removed: prompts, added: written, isFromElsewhere });
    for (const reason of refused.values()) this.logger.warn(`an assistant cannot write workflows: ${reason.message}`);
    this.offered = {
      tools: skills.map(({ name }) => name).filter((name) => !refused.has(name)),
      prompts: written.map(({ name }) => name).filter((name) => !taken.includes(name)),
    };
  }
}

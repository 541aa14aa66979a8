import { Injectable, type OnModuleInit } from '@nestjs/common';
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
  private isOffered = false;

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
    const skills = this.skills.all.map(defineSkill);
    const [removed, added] = isWanted ? [[], skills] : [skills.map(({ name }) => name), []];
    this.registry.replace({ removed, added, isFromElsewhere });
    const [gone, come] = isWanted ? [[], [WRITE_WORKFLOW]] : [[WRITE_WORKFLOW.name], []];
    this.prompts.replace({ removed: gone, added: come, isFromElsewhere });
  }
}

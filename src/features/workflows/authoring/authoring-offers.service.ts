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
    this.events.on('setting.changed', ({ key }) => key === 'workflows.authoring' && this.offer());
    this.offer();
  }

  private offer(): void {
    const isWanted = this.settings.get('workflows.authoring') === 'on';
    if (isWanted === this.isOffered) return;
    this.isOffered = isWanted;
    const skills = this.skills.all.map(defineSkill);
    if (isWanted) {
      this.registry.add(skills);
      this.prompts.register(WRITE_WORKFLOW);
    } else {
      this.registry.remove(...skills.map(({ name }) => name));
      this.prompts.remove(WRITE_WORKFLOW.name);
    }
  }
}

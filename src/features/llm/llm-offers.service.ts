import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { defineSkill, skillOptionsOf } from '#skill-kit';
import { SettingsService } from '../../platform/config/settings.service.js';
import { EventBus } from '../../platform/events/event-bus.service.js';
import { SkillOffer } from '../../core/skills/skill-offer.js';
import { SkillRegistry } from '../../core/skills/skill.registry.js';
import { LlmSkills } from './llm-skills.provider.js';
import { LlmModels } from './models/llm-models.service.js';

const NEEDS_MODEL = 'it needs a language model, which an administrator sets with llm.url and llm.models';

type Offer = 'none' | 'steps' | 'clients';

/**
 * Offers the tools that ask language models while a model is configured: to steps of workflows, and to clients if they may use
 * them.
 */
@Injectable()
export class LlmOffers implements OnModuleInit {
  private readonly logger = new Logger(LlmOffers.name);
  private readonly tools: SkillOffer;
  private offered: Offer = 'none';

  constructor(
    private readonly settings: SettingsService,
    private readonly models: LlmModels,
    private readonly events: EventBus,
    private readonly registry: SkillRegistry,
    private readonly skills: LlmSkills,
  ) {
    const warn = ({ message }: Error) => this.logger.warn(`a language model cannot be asked: ${message}`);
    this.tools = new SkillOffer(registry, events, warn);
  }

  onModuleInit(): void {
    const names = this.skills.all.map((skill) => skillOptionsOf(skill).name);
    this.registry.explainAbsence(names, NEEDS_MODEL);
    this.events.on('setting.changed', ({ key, isFromElsewhere = false }) => {
      if (key.startsWith('llm.')) this.offer(isFromElsewhere);
    });
    this.offer(false);
  }

  /** @param isFromElsewhere whether another replica notifies the clients */
  private offer(isFromElsewhere: boolean): void {
    const wanted = this.wanted();
    if (wanted === this.offered) return;
    this.offered = wanted;
    const stepsOnly = wanted === 'steps';
    const added = wanted === 'none' ? [] : this.skills.all.map((skill) => defineSkill(skill, { stepsOnly }));
    this.tools.replace(added, isFromElsewhere);
  }

  private wanted(): Offer {
    if (this.models.list().length === 0) return 'none';
    return this.settings.get('llm.clients') === 'on' ? 'clients' : 'steps';
  }
}

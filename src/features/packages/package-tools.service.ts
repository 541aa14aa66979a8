import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { defineSkill, type SkillDefinition } from '#skill-kit';
import { SkillOffer } from '../../core/skills/skill-offer.js';
import { SkillRegistry } from '../../core/skills/skill.registry.js';
import { EventBus } from '../../platform/events/event-bus.service.js';
import { SkillFindSkill, SkillReadSkill } from './skill-packages.skills.js';
import { SkillPackages } from './skill-packages.service.js';

/** Offers the tools that find and read packages while there are any: each tool takes context from every client. */
@Injectable()
export class PackageTools implements OnModuleInit {
  private readonly logger = new Logger(PackageTools.name);
  private readonly tools: readonly SkillDefinition[];
  private readonly offered: SkillOffer;
  private areOffered = false;

  constructor(
    find: SkillFindSkill,
    read: SkillReadSkill,
    private readonly packages: SkillPackages,
    private readonly registry: SkillRegistry,
    private readonly events: EventBus,
  ) {
    this.tools = [defineSkill(find), defineSkill(read)];
    const warn = ({ message }: Error) => this.logger.warn(`a tool of skill packages is not offered: ${message}`);
    this.offered = new SkillOffer(registry, events, warn);
  }

  onModuleInit(): void {
    const names = this.tools.map(({ name }) => name);
    this.registry.explainAbsence(names, 'it needs a skill package, which an administrator adds');
    this.events.on('packages.changed', ({ isFromElsewhere = false }) => this.offer(isFromElsewhere));
    this.offer(false);
  }

  private offer(isFromElsewhere: boolean): void {
    const isWanted = this.packages.listEnabled().length > 0;
    if (isWanted === this.areOffered) return;
    this.areOffered = isWanted;
    this.offered.replace(isWanted ? this.tools : [], isFromElsewhere);
  }
}

import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { defineSkill, type SkillDefinition } from '#skill-kit';
import { SkillRegistry } from '../../core/skills/skill.registry.js';
import { EventBus } from '../../platform/events/event-bus.service.js';
import { SkillFindSkill, SkillReadSkill } from './skill-packages.skills.js';
import { SkillPackages } from './skill-packages.service.js';

/** Offers the tools that find and read packages, as long as there is one: each tool costs every client context. */
@Injectable()
export class PackageTools implements OnModuleInit {
  private readonly logger = new Logger(PackageTools.name);
  private readonly tools: readonly SkillDefinition[];
  private areOffered = false;

  constructor(
    find: SkillFindSkill,
    read: SkillReadSkill,
    private readonly packages: SkillPackages,
    private readonly registry: SkillRegistry,
    private readonly events: EventBus,
  ) {
    this.tools = [defineSkill(find), defineSkill(read)];
  }

  onModuleInit(): void {
    this.events.on('packages.changed', ({ isFromElsewhere = false }) => this.offer(isFromElsewhere));
    this.offer(false);
  }

  private offer(isFromElsewhere: boolean): void {
    const isWanted = this.packages.listEnabled().length > 0;
    if (isWanted === this.areOffered) return;
    this.areOffered = isWanted;
    const removed = isWanted ? [] : this.tools.map(({ name }) => name);
    const refused = this.registry.replace({ removed, added: isWanted ? this.tools : [], isFromElsewhere });
    for (const [name, { message }] of refused) this.logger.warn(`the tool ${name} is not offered: ${message}`);
  }
}

import { Module, type OnModuleInit } from '@nestjs/common';
import { PolicyModule } from '../../access/policy/policy.module.js';
import { ConfigModule } from '../../platform/config/config.module.js';
import { EventsModule } from '../../platform/events/events.module.js';
import { SectionFinder } from '../../platform/markdown/section-finder.service.js';
import { SkillRegistry } from '../skills/skill.registry.js';
import { SkillsModule } from '../skills/skills.module.js';
import { ResourcePart } from './resource-part.service.js';
import { ResourceRead } from './resource-read.skills.js';
import { ResourceRouter } from './resource.router.js';
import { ConfigResources } from './config.provider.js';
import { ViewResources } from './views.provider.js';

/** Routes each URI to the store that owns it. Every feature registers its own store. */
@Module({
  imports: [ConfigModule, EventsModule, PolicyModule, SkillsModule],
  providers: [ResourceRouter, SectionFinder, ResourcePart, ResourceRead, ConfigResources, ViewResources],
  exports: [ResourceRouter],
})
export class ResourcesModule implements OnModuleInit {
  constructor(
    private readonly router: ResourceRouter,
    private readonly settings: ConfigResources,
    private readonly views: ViewResources,
    private readonly skills: SkillRegistry,
    private readonly resourceRead: ResourceRead,
  ) {}

  onModuleInit(): void {
    this.router.register(this.settings);
    this.router.register(this.views);
    this.skills.register(this.resourceRead);
  }
}

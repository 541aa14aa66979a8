import { Module } from '@nestjs/common';
import { PolicyModule } from '../../access/policy/policy.module.js';
import { ConfigModule } from '../../platform/config/config.module.js';
import { EventsModule } from '../../platform/events/events.module.js';
import { SectionFinder } from '../../platform/markdown/section-finder.service.js';
import { registersSkills } from '../skills/skill.registry.js';
import { SkillsModule } from '../skills/skills.module.js';
import { ResourcePart } from './resource-part.service.js';
import { ResourceRead } from './resource-read.skills.js';
import { ResourceRouter, servesResources } from './resource.router.js';
import { ConfigResources } from './config.provider.js';
import { ViewResources } from './views.provider.js';

/** Routes each URI to the store that owns it. Every feature registers its own store. */
@Module({
  imports: [ConfigModule, EventsModule, PolicyModule, SkillsModule],
  providers: [
    ResourceRouter,
    SectionFinder,
    ResourcePart,
    ResourceRead,
    registersSkills(ResourceRead),
    ConfigResources,
    ViewResources,
    servesResources(ConfigResources, ViewResources),
  ],
  exports: [ResourceRouter],
})
export class ResourcesModule {}

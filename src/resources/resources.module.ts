import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { ConfigModule } from '../config/config.module.js';
import { EventsModule } from '../events/events.module.js';
import { FeedsModule } from '../feeds/feeds.module.js';
import { KnowledgeModule } from '../knowledge/knowledge.module.js';
import { SectionFinder } from '../markdown/section-finder.service.js';
import { MemoryModule } from '../memory/memory.module.js';
import { PolicyModule } from '../policy/policy.module.js';
import { SkillRegistry } from '../skills/skill.registry.js';
import { SkillsModule } from '../skills/skills.module.js';
import { DefinitionsModule } from '../workflows/definitions/definitions.module.js';
import { RunsModule } from '../workflows/runs/runs.module.js';
import { ResourcePart } from './resource-part.service.js';
import { ResourceRead } from './resource-read.skills.js';
import type { ResourceStore } from './resource-store.js';
import { ResourceRouter } from './resource.router.js';
import { ConfigResources } from './stores/config.provider.js';
import { FeedResources } from './stores/feeds.provider.js';
import { KnowledgeResources } from './stores/knowledge.provider.js';
import { MemoryResources } from './stores/memory.provider.js';
import { RunResources } from './stores/runs.provider.js';
import { ViewResources } from './stores/views.provider.js';
import { WorkflowResources } from './stores/workflows.provider.js';

const FEATURES = [KnowledgeModule, MemoryModule, FeedsModule, DefinitionsModule, RunsModule];

const DATA_STORES = [KnowledgeResources, MemoryResources, FeedResources];
/** All stores, in the order in which their resources are listed: settings interest the fewest. */
const STORES = [...DATA_STORES, WorkflowResources, RunResources, ViewResources, ConfigResources];
const ALL_STORES = Symbol('every ResourceStore');

@Module({
  imports: [ConfigModule, EventsModule, PolicyModule, SkillsModule, ...FEATURES],
  providers: [
    ResourceRouter,
    SectionFinder,
    ResourcePart,
    ResourceRead,
    ...STORES,
    { provide: ALL_STORES, useFactory: (...stores: ResourceStore[]) => stores, inject: STORES },
  ],
  exports: [ResourceRouter],
})
export class ResourcesModule implements OnModuleInit {
  constructor(
    private readonly router: ResourceRouter,
    private readonly skills: SkillRegistry,
    @Inject(ALL_STORES) private readonly stores: ResourceStore[],
    private readonly resourceRead: ResourceRead,
  ) {}

  onModuleInit(): void {
    for (const store of this.stores) this.router.register(store);
    this.skills.register(this.resourceRead);
  }
}

import { Module, type OnModuleInit } from '@nestjs/common';
import { FeedsModule } from '../feeds/feeds.module.js';
import { KnowledgeModule } from '../knowledge/knowledge.module.js';
import { MemoryModule } from '../memory/memory.module.js';
import { SkillRegistry } from '../skills/skill.registry.js';
import { SkillsModule } from '../skills/skills.module.js';
import { ResourceRead } from './resource-read.skills.js';
import { ResourceRouter } from './resource.router.js';
import { ConfigResources } from './stores/config.provider.js';
import { KnowledgeResources } from './stores/knowledge.provider.js';
import { MemoryResources } from './stores/memory.provider.js';
import { FeedResources } from './stores/feeds.provider.js';

@Module({
  imports: [SkillsModule, KnowledgeModule, MemoryModule, FeedsModule],
  providers: [ResourceRouter, ConfigResources, KnowledgeResources, MemoryResources, FeedResources, ResourceRead],
  exports: [ResourceRouter],
})
export class ResourcesModule implements OnModuleInit {
  constructor(
    private readonly router: ResourceRouter,
    private readonly skills: SkillRegistry,
    private readonly config: ConfigResources,
    private readonly knowledge: KnowledgeResources,
    private readonly memory: MemoryResources,
    private readonly feeds: FeedResources,
    private readonly resourceRead: ResourceRead,
  ) {}

  onModuleInit(): void {
    this.router.register(this.config);
    this.router.register(this.knowledge);
    this.router.register(this.memory);
    this.router.register(this.feeds);
    this.skills.register(this.resourceRead);
  }
}

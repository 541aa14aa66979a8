import { Module, type OnModuleInit } from '@nestjs/common';
import { KnowledgeModule } from '../knowledge/knowledge.module.js';
import { MemoryModule } from '../memory/memory.module.js';
import { SkillRegistry } from '../skills/skill.registry.js';
import { SkillsModule } from '../skills/skills.module.js';
import { ResourceRead } from './resource-read.skills.js';
import { ResourceRouter } from './resource.router.js';
import { ConfigResources } from './stores/config.provider.js';
import { KnowledgeResources } from './stores/knowledge.provider.js';
import { MemoryResources } from './stores/memory.provider.js';

@Module({
  imports: [SkillsModule, KnowledgeModule, MemoryModule],
  providers: [ResourceRouter, ConfigResources, KnowledgeResources, MemoryResources, ResourceRead],
  exports: [ResourceRouter],
})
export class ResourcesModule implements OnModuleInit {
  constructor(
    private readonly router: ResourceRouter,
    private readonly skills: SkillRegistry,
    private readonly config: ConfigResources,
    private readonly knowledge: KnowledgeResources,
    private readonly memory: MemoryResources,
    private readonly resourceRead: ResourceRead,
  ) {}

  onModuleInit(): void {
    this.router.register(this.config);
    this.router.register(this.knowledge);
    this.router.register(this.memory);
    this.skills.register(this.resourceRead);
  }
}

import { Module, type OnModuleInit } from '@nestjs/common';
import { defineSkill } from '#skill-kit';
import { PolicyModule } from '../../access/policy/policy.module.js';
import { ResourcesModule } from '../../core/resources/resources.module.js';
import { SkillsModule } from '../../core/skills/skills.module.js';
import { SwitchedSkills } from '../../core/skills/switched-skills.service.js';
import { EnvironmentModule } from '../../platform/environment/environment.module.js';
import { FeedsModule } from '../feeds/feeds.module.js';
import { FeedsService } from '../feeds/feeds.service.js';
import { KnowledgeModule } from '../knowledge/knowledge.module.js';
import { KnowledgeService } from '../knowledge/knowledge.service.js';
import { MemoryModule } from '../memory/memory.module.js';
import { MemoryService } from '../memory/memory.service.js';
import { SearchEverywhere, SearchedStores } from './search-everywhere.service.js';
import { FetchSkill, SearchSkill } from './search-everywhere.skills.js';
import { feedStore, knowledgeStore, memoryStore } from './searched-stores.js';

const STORES = {
  provide: SearchedStores,
  useFactory: (knowledge: KnowledgeService, memory: MemoryService, feeds: FeedsService) =>
    new SearchedStores([knowledgeStore(knowledge), memoryStore(memory), feedStore(feeds)]),
  inject: [KnowledgeService, MemoryService, FeedsService],
};

@Module({
  imports: [EnvironmentModule, PolicyModule, SkillsModule, ResourcesModule, KnowledgeModule, MemoryModule, FeedsModule],
  providers: [STORES, SearchEverywhere, SearchSkill, FetchSkill],
})
export class SearchEverywhereModule implements OnModuleInit {
  constructor(
    private readonly skills: SwitchedSkills,
    private readonly search: SearchSkill,
    private readonly fetch: FetchSkill,
  ) {}

  onModuleInit(): void {
    this.skills.offerWhileOn('mcp.search_and_fetch', [defineSkill(this.search), defineSkill(this.fetch)]);
  }
}

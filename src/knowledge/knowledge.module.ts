import { Module, type OnModuleInit } from '@nestjs/common';
import { SkillRegistry } from '../skills/skill.registry.js';
import { SkillsModule } from '../skills/skills.module.js';
import { KnowledgeImport } from './import/knowledge-import.service.js';
import { KnowledgeSearch } from './knowledge-search.service.js';
import { KnowledgeWatch } from './knowledge-watch.service.js';
import { KnowledgeService } from './knowledge.service.js';
import { KnowledgeRemoveSkill, KnowledgeSaveSkill, KnowledgeSearchSkill } from './knowledge.skills.js';
import { KnowledgeStore } from './knowledge.store.js';
import { PassageStore } from './passage.store.js';

@Module({
  imports: [SkillsModule],
  providers: [
    KnowledgeStore,
    PassageStore,
    KnowledgeSearch,
    KnowledgeService,
    KnowledgeImport,
    KnowledgeWatch,
    KnowledgeSearchSkill,
    KnowledgeSaveSkill,
    KnowledgeRemoveSkill,
  ],
  exports: [KnowledgeService, KnowledgeImport],
})
export class KnowledgeModule implements OnModuleInit {
  constructor(
    private readonly skills: SkillRegistry,
    private readonly search: KnowledgeSearchSkill,
    private readonly save: KnowledgeSaveSkill,
    private readonly remove: KnowledgeRemoveSkill,
  ) {}

  onModuleInit(): void {
    this.skills.register(this.search, this.save, this.remove);
  }
}

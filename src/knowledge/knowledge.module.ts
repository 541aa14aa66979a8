import { Module, type OnModuleInit } from '@nestjs/common';
import { ConfigModule } from '../config/config.module.js';
import { DatabaseModule } from '../database/database.module.js';
import { EventsModule } from '../events/events.module.js';
import { SemanticModule } from '../semantic/semantic.module.js';
import { ServiceInfoModule } from '../service-info/service-info.module.js';
import { SkillRegistry } from '../skills/skill.registry.js';
import { SkillsModule } from '../skills/skills.module.js';
import { DocumentCollection } from './collection/document-collection.service.js';
import { DocumentCountStore } from './collection/document-count.store.js';
import { DocumentHistoryStore } from './document-history.store.js';
import { ImportWatch } from './import/import-watch.service.js';
import { ImportedFileReader } from './import/imported-file-reader.service.js';
import { KnowledgeImport } from './import/knowledge-import.service.js';
import { SourceStore } from './import/source.store.js';
import { UploadImport } from './import/upload-import.service.js';
import { KnowledgeIndexing } from './knowledge-indexing.service.js';
import { KnowledgeSearch } from './knowledge-search.service.js';
import { KnowledgeService } from './knowledge.service.js';
import { KnowledgeEditSkill } from './knowledge-edit.skills.js';
import { KnowledgeRemoveSkill, KnowledgeSaveSkill, KnowledgeSearchSkill } from './knowledge.skills.js';
import { KnowledgeStore } from './knowledge.store.js';
import { DocumentBrowser } from './document-browser.service.js';
import { PassageMaker } from './passages/passage-maker.service.js';
import { PassageMeaning } from './passages/passage-meaning.service.js';
import { PassageVectors } from './passages/passage-vectors.store.js';
import { PassageStore } from './passages/passage.store.js';
import { PolicyModule } from '../policy/policy.module.js';

const IMPORTING = [ImportedFileReader, KnowledgeImport, ImportWatch, SourceStore, UploadImport];
const COLLECTION = [DocumentCollection, DocumentCountStore];
const SKILLS = [KnowledgeSearchSkill, KnowledgeSaveSkill, KnowledgeEditSkill, KnowledgeRemoveSkill];

@Module({
  imports: [PolicyModule, ConfigModule, DatabaseModule, EventsModule, ServiceInfoModule, SkillsModule, SemanticModule],
  providers: [
    KnowledgeStore,
    DocumentHistoryStore,
    PassageStore,
    KnowledgeSearch,
    DocumentBrowser,
    KnowledgeService,
    PassageMaker,
    KnowledgeIndexing,
    PassageVectors,
    PassageMeaning,
    ...IMPORTING,
    ...COLLECTION,
    ...SKILLS,
  ],
  exports: [KnowledgeService, UploadImport, DocumentCollection],
})
export class KnowledgeModule implements OnModuleInit {
  constructor(
    private readonly skills: SkillRegistry,
    private readonly search: KnowledgeSearchSkill,
    private readonly save: KnowledgeSaveSkill,
    private readonly edit: KnowledgeEditSkill,
    private readonly remove: KnowledgeRemoveSkill,
  ) {}

  onModuleInit(): void {
    this.skills.register(this.search, this.save, this.edit, this.remove);
  }
}

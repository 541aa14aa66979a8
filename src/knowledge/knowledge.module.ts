import { Module, type OnModuleInit } from '@nestjs/common';
import { ConfigModule } from '../config/config.module.js';
import { DatabaseModule } from '../database/database.module.js';
import { EventsModule } from '../events/events.module.js';
import { OutgoingHttpModule } from '../outgoing-http/outgoing-http.module.js';
import { ServiceInfoModule } from '../service-info/service-info.module.js';
import { SkillRegistry } from '../skills/skill.registry.js';
import { SkillsModule } from '../skills/skills.module.js';
import { ImportWatch } from './import/import-watch.service.js';
import { ImportedFileReader } from './import/imported-file-reader.service.js';
import { KnowledgeImport } from './import/knowledge-import.service.js';
import { KnowledgeIndexing } from './knowledge-indexing.service.js';
import { KnowledgeSearch } from './knowledge-search.service.js';
import { KnowledgeService } from './knowledge.service.js';
import { KnowledgeRemoveSkill, KnowledgeSaveSkill, KnowledgeSearchSkill } from './knowledge.skills.js';
import { KnowledgeStore } from './knowledge.store.js';
import { PassageMaker } from './passages/passage-maker.service.js';
import { PassageStore } from './passages/passage.store.js';
import { EmbeddedPassages } from './semantic/embedded-passages.service.js';
import { EmbeddingBatch } from './semantic/embedding-batch.service.js';
import { EmbeddingsApi } from './semantic/embeddings-api.service.js';
import { MeaningSearch } from './semantic/meaning-search.js';
import { PassageEmbedder } from './semantic/passage-embedder.service.js';
import { QueryEmbeddings } from './semantic/query-embeddings.service.js';
import { VectorStore } from './semantic/vector.store.js';
import { PolicyModule } from '../policy/policy.module.js';

const EMBEDDINGS = [EmbeddingsApi, EmbeddingBatch, PassageEmbedder, QueryEmbeddings, VectorStore];
const MEANING = { provide: MeaningSearch, useClass: EmbeddedPassages };

const IMPORTING = [ImportedFileReader, KnowledgeImport, ImportWatch];
const SKILLS = [KnowledgeSearchSkill, KnowledgeSaveSkill, KnowledgeRemoveSkill];

@Module({
  imports: [
    PolicyModule,
    ConfigModule,
    DatabaseModule,
    EventsModule,
    ServiceInfoModule,
    SkillsModule,
    OutgoingHttpModule,
  ],
  providers: [
    KnowledgeStore,
    PassageStore,
    KnowledgeSearch,
    KnowledgeService,
    PassageMaker,
    KnowledgeIndexing,
    ...IMPORTING,
    ...EMBEDDINGS,
    MEANING,
    ...SKILLS,
  ],
  exports: [KnowledgeService, KnowledgeImport, PassageEmbedder],
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

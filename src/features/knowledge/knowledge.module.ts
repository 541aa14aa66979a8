import { Module } from '@nestjs/common';
import { ConfigModule } from '../../platform/config/config.module.js';
import { DatabaseModule } from '../../platform/database/database.module.js';
import { EventsModule } from '../../platform/events/events.module.js';
import { SemanticModule } from '../semantic/semantic.module.js';
import { ServiceInfoModule } from '../../platform/service-info/service-info.module.js';
import { servesResources } from '../../core/resources/resource.router.js';
import { ResourcesModule } from '../../core/resources/resources.module.js';
import { registersSkills } from '../../core/skills/skill.registry.js';
import { SkillsModule } from '../../core/skills/skills.module.js';
import { DocumentCollection } from './collection/document-collection.service.js';
import { DocumentCountStore } from './collection/document-count.store.js';
import { DocumentMatchStore } from './collection/document-match.store.js';
import { DocumentHistoryStore } from './documents/document-history.store.js';
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
import { KnowledgeRestoreSkill } from './knowledge-restore.skills.js';
import { KnowledgeStore } from './knowledge.store.js';
import { KnowledgeTrash } from './trash/knowledge-trash.service.js';
import { TrashHousekeeping } from './trash/trash-housekeeping.service.js';
import { TrashStore } from './trash/trash.store.js';
import { DocumentBrowser } from './document-browser.service.js';
import { PassageMaker } from './passages/passage-maker.service.js';
import { PassageVectors } from './passages/passage-vectors.store.js';
import { PassageStore } from './passages/passage.store.js';
import { PolicyModule } from '../../access/policy/policy.module.js';
import { KnowledgeResources } from './knowledge.provider.js';

const COLLECTION = [DocumentCollection, DocumentCountStore, DocumentMatchStore];
const STORES = [KnowledgeStore, DocumentHistoryStore, PassageStore, PassageVectors, SourceStore];
const SEARCH = [KnowledgeSearch, DocumentBrowser, PassageMaker, KnowledgeIndexing];
const IMPORTING = [ImportedFileReader, KnowledgeImport, ImportWatch, UploadImport];
const SKILLS = [
  KnowledgeSearchSkill,
  KnowledgeSaveSkill,
  KnowledgeEditSkill,
  KnowledgeRemoveSkill,
  KnowledgeRestoreSkill,
];
const TRASH = [KnowledgeTrash, TrashStore, TrashHousekeeping];
const BELOW = [PolicyModule, ConfigModule, DatabaseModule, EventsModule, ServiceInfoModule, SemanticModule];

@Module({
  imports: [...BELOW, SkillsModule, ResourcesModule],
  providers: [
    ...STORES,
    ...SEARCH,
    ...IMPORTING,
    ...COLLECTION,
    ...TRASH,
    ...SKILLS,
    registersSkills(...SKILLS),
    KnowledgeService,
    KnowledgeResources,
    servesResources(KnowledgeResources),
  ],
  exports: [KnowledgeService, KnowledgeTrash, UploadImport, DocumentCollection],
})
export class KnowledgeModule {}

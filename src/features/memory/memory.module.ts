import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../platform/database/database.module.js';
import { EventsModule } from '../../platform/events/events.module.js';
import { SemanticModule } from '../semantic/semantic.module.js';
import { ServiceInfoModule } from '../../platform/service-info/service-info.module.js';
import { servesResources } from '../../core/resources/resource.router.js';
import { ResourcesModule } from '../../core/resources/resources.module.js';
import { registersSkills } from '../../core/skills/skill.registry.js';
import { SkillsModule } from '../../core/skills/skills.module.js';
import { SemanticEntries } from './semantic-entries.service.js';
import { EntryVectors } from './entry-vectors.store.js';
import { MemoryHistoryStore } from './memory-history.store.js';
import { MemoryHousekeeping } from './memory-housekeeping.service.js';
import { MemoryNameStore } from './memory-names.store.js';
import { MemoryService } from './memory.service.js';
import { MemoryRemoveSkill, MemorySaveSkill, MemorySearchSkill } from './memory.skills.js';
import { MemoryStore } from './memory.store.js';
import { PolicyModule } from '../../access/policy/policy.module.js';
import { MemoryResources } from './memory.provider.js';

const SKILLS = [MemorySaveSkill, MemorySearchSkill, MemoryRemoveSkill];

@Module({
  imports: [
    PolicyModule,
    DatabaseModule,
    EventsModule,
    ServiceInfoModule,
    SkillsModule,
    ResourcesModule,
    SemanticModule,
  ],
  providers: [
    MemoryResources,
    servesResources(MemoryResources),
    MemoryStore,
    MemoryHistoryStore,
    MemoryNameStore,
    EntryVectors,
    SemanticEntries,
    MemoryService,
    MemoryHousekeeping,
    ...SKILLS,
    registersSkills(...SKILLS),
  ],
  exports: [MemoryService],
})
export class MemoryModule {}

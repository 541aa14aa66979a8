import { Module } from '@nestjs/common';
import { SkillsModule } from '../../core/skills/skills.module.js';
import { ConfigModule } from '../../platform/config/config.module.js';
import { DatabaseModule } from '../../platform/database/database.module.js';
import { EnvironmentModule } from '../../platform/environment/environment.module.js';
import { EventsModule } from '../../platform/events/events.module.js';
import { OutgoingHttpModule } from '../../platform/outgoing-http/outgoing-http.module.js';
import { SecretsModule } from '../../platform/secrets/secrets.module.js';
import { WorkflowSecretsModule } from '../workflows/secrets/workflow-secrets.module.js';
import { ModuleCalls } from './calls/module-calls.service.js';
import { ModuleFetch } from './calls/module-fetch.service.js';
import { ModuleQueries } from './calls/module-queries.service.js';
import { ModuleRequests } from './calls/module-requests.service.js';
import { ModuleSkills } from './calls/module-skills.service.js';
import { ModuleStates } from './calls/module-states.service.js';
import { ModuleFolder } from './folder/module-folder.service.js';
import { ModuleHousekeeping } from './module-housekeeping.service.js';
import { ModuleHost } from './module-host.service.js';
import { ModuleSkillSource } from './listed/module-skill-source.service.js';
import { ModuleStore } from './module.store.js';
import { SampleModules } from './sample-modules.service.js';
import { SkillModules } from './modules.service.js';
import { ModuleUploads } from './upload/module-uploads.service.js';

@Module({
  imports: [
    EnvironmentModule,
    ConfigModule,
    DatabaseModule,
    EventsModule,
    SecretsModule,
    OutgoingHttpModule,
    WorkflowSecretsModule,
    SkillsModule,
  ],
  providers: [
    ModuleStore,
    ModuleHousekeeping,
    ModuleHost,
    SkillModules,
    ModuleFetch,
    ModuleQueries,
    ModuleStates,
    ModuleRequests,
    ModuleCalls,
    ModuleSkills,
    ModuleFolder,
    ModuleSkillSource,
    SampleModules,
    ModuleUploads,
  ],
  exports: [SkillModules, ModuleSkills, ModuleFolder, SampleModules, ModuleUploads],
})
export class SkillModulesModule {}

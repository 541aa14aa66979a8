import { Module } from '@nestjs/common';
import { ClientsModule } from '../../access/clients/clients.module.js';
import { ConfigModule } from '../../platform/config/config.module.js';
import { EventsModule } from '../../platform/events/events.module.js';
import { KnowledgeModule } from '../../features/knowledge/knowledge.module.js';
import { MemoryModule } from '../../features/memory/memory.module.js';
import { SemanticModule } from '../../features/semantic/semantic.module.js';
import { SkillsModule } from '../../core/skills/skills.module.js';
import { AdministratorsModule } from './administrators/administrators.module.js';
import { AdminAuditModule } from './audit/admin-audit.module.js';
import { AdminSingleSignOnModule } from './single-sign-on/admin-single-sign-on.module.js';
import { AdminBodiesModule } from './api/body/admin-bodies.module.js';
import { AccountsModule } from '../../access/accounts/accounts.module.js';
import { AdminClientsModule } from './clients/admin-clients.module.js';
import { AdminFeedsModule } from './feeds/admin-feeds.module.js';
import { AdminKnowledge } from './knowledge/admin-knowledge.service.js';
import { AdminCollection } from './knowledge/admin-collection.service.js';
import { CollectionController } from './knowledge/collection.controller.js';
import { KnowledgeController } from './knowledge/knowledge.controller.js';
import { AdminTrash } from './knowledge/admin-trash.service.js';
import { TrashController } from './knowledge/trash.controller.js';
import { AdminLlmModule } from './llm/admin-llm.module.js';
import { LoginController } from './login/login.controller.js';
import { MemoryController } from './memory/memory.controller.js';
import { OpenApi, OpenApiController } from './open-api/open-api.controller.js';
import { SettingsController } from './settings/settings.controller.js';
import { AdminSkills } from './skills/admin-skills.service.js';
import { SkillTrials } from './skills/skill-trials.service.js';
import { SkillsController } from './skills/skills.controller.js';
import { AdminPoliciesModule } from './policies/admin-policies.module.js';
import { AdminSkillModulesModule } from './skill-modules/admin-skill-modules.module.js';
import { AdminSkillPackagesModule } from './skill-packages/admin-skill-packages.module.js';
import { AdminSignInsModule } from './sign-ins/admin-sign-ins.module.js';
import { AdminWorkflowsModule } from './workflows/admin-workflows.module.js';

@Module({
  imports: [
    ConfigModule,
    EventsModule,
    AccountsModule,
    AdministratorsModule,
    AdminSingleSignOnModule,
    AdminBodiesModule,
    ClientsModule,
    SkillsModule,
    KnowledgeModule,
    SemanticModule,
    MemoryModule,
    AdminFeedsModule,
    AdminAuditModule,
    AdminClientsModule,
    AdminPoliciesModule,
    AdminWorkflowsModule,
    AdminSkillModulesModule,
    AdminSkillPackagesModule,
    AdminSignInsModule,
    AdminLlmModule,
  ],
  controllers: [
    OpenApiController,
    LoginController,
    SettingsController,
    SkillsController,
    KnowledgeController,
    TrashController,
    CollectionController,
    MemoryController,
  ],
  providers: [AdminKnowledge, AdminCollection, AdminTrash, OpenApi, AdminSkills, SkillTrials],
})
export class AdminApiModule {}

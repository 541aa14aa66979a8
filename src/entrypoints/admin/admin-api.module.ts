import { Module } from '@nestjs/common';
import { ClientsModule } from '../../access/clients/clients.module.js';
import { ConfigModule } from '../../platform/config/config.module.js';
import { EventsModule } from '../../platform/events/events.module.js';
import { FeedsModule } from '../../features/feeds/feeds.module.js';
import { KnowledgeModule } from '../../features/knowledge/knowledge.module.js';
import { LlmModule } from '../../features/llm/llm.module.js';
import { MemoryModule } from '../../features/memory/memory.module.js';
import { SemanticModule } from '../../features/semantic/semantic.module.js';
import { SkillsModule } from '../../core/skills/skills.module.js';
import { AccountController } from './administrators/account.controller.js';
import { AdministratorsController } from './administrators/administrators.controller.js';
import { AdminAuditModule } from './audit/admin-audit.module.js';
import { AdminSingleSignOnModule } from './single-sign-on/admin-single-sign-on.module.js';
import { AdminBodiesModule } from './api/body/admin-bodies.module.js';
import { AccountsModule } from '../../access/accounts/accounts.module.js';
import { AdminClientsModule } from './clients/admin-clients.module.js';
import { FeedItemsController, FeedsController } from './feeds/feeds.controller.js';
import { AdminKnowledge } from './knowledge/admin-knowledge.service.js';
import { CollectionController } from './knowledge/collection.controller.js';
import { KnowledgeController } from './knowledge/knowledge.controller.js';
import { TrashController } from './knowledge/trash.controller.js';
import { LlmUsageController } from './llm/llm-usage.controller.js';
import { LoginController } from './login/login.controller.js';
import { MemoryController } from './memory/memory.controller.js';
import { OpenApi, OpenApiController } from './open-api/open-api.controller.js';
import { SettingsController } from './settings/settings.controller.js';
import { AdminSkills } from './skills/admin-skills.service.js';
import { SkillTrials } from './skills/skill-trials.service.js';
import { SkillsController } from './skills/skills.controller.js';
import { AdminPoliciesModule } from './policies/admin-policies.module.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { AdminSkillModulesModule } from './skill-modules/admin-skill-modules.module.js';
import { AdminSkillPackagesModule } from './skill-packages/admin-skill-packages.module.js';
import { AdminSignInsModule } from './sign-ins/admin-sign-ins.module.js';
import { AdminWorkflowsModule } from './workflows/admin-workflows.module.js';

const CONTENTS = [KnowledgeController, TrashController, CollectionController, MemoryController];
const FEEDS = [FeedsController, FeedItemsController];
const ACCOUNTS = [AdministratorsController, AccountController];

@Module({
  imports: [
    ConfigModule,
    EventsModule,
    AccountsModule,
    AdminSingleSignOnModule,
    AdminBodiesModule,
    ClientsModule,
    SkillsModule,
    KnowledgeModule,
    SemanticModule,
    MemoryModule,
    FeedsModule,
    AdminAuditModule,
    AdminClientsModule,
    AdminPoliciesModule,
    AdminWorkflowsModule,
    AdminSkillModulesModule,
    AdminSkillPackagesModule,
    AdminSignInsModule,
    LlmModule,
    MetricsModule,
  ],
  controllers: [
    OpenApiController,
    LoginController,
    SettingsController,
    SkillsController,
    LlmUsageController,
    ...CONTENTS,
    ...FEEDS,
    ...ACCOUNTS,
  ],
  providers: [AdminKnowledge, OpenApi, AdminSkills, SkillTrials],
})
export class AdminApiModule {}

import { join } from 'node:path';
import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { ClientsModule } from '../clients/clients.module.js';
import { PROJECT_ROOT } from '../config/project-root.js';
import { FeedsModule } from '../feeds/feeds.module.js';
import { KnowledgeModule } from '../knowledge/knowledge.module.js';
import { MemoryModule } from '../memory/memory.module.js';
import { SkillsModule } from '../skills/skills.module.js';
import { TelemetryModule } from '../telemetry/telemetry.module.js';
import { AdminFeeds } from './admin-feeds.service.js';
import { AdminKnowledge } from './admin-knowledge.service.js';
import { AdminMemory } from './admin-memory.service.js';
import { AdminSkills } from './admin-skills.service.js';
import { AdminAuthModule } from './auth/admin-auth.module.js';
import { ConfigController } from './config.controller.js';
import { FeedsController } from './feeds.controller.js';
import { neverCached, securityHeaders } from './http/admin.middleware.js';
import { BodyBudget } from './http/body-budget.service.js';
import { HostCheck } from './http/host.middleware.js';
import { OpenApi } from './http/open-api.provider.js';
import { ProblemFilter } from './http/problem.filter.js';
import { KnowledgeController } from './knowledge.controller.js';
import { McpSessions } from './mcp-sessions.service.js';
import { MemoryController } from './memory.controller.js';
import { OpenApiController } from './open-api.controller.js';
import { OverviewController } from './overview.controller.js';
import { OverviewService } from './overview.service.js';
import { SessionController } from './session.controller.js';
import { SessionsController } from './sessions.controller.js';
import { SkillTrialController } from './skill-trial.controller.js';
import { SkillTrials } from './skill-trials.service.js';
import { SkillsController } from './skills.controller.js';
import { AdminUi, UI_FOLDER } from './ui/admin-ui.middleware.js';
import { RootController } from './ui/root.controller.js';

@Module({
  imports: [AdminAuthModule, ClientsModule, SkillsModule, KnowledgeModule, MemoryModule, FeedsModule, TelemetryModule],
  controllers: [
    OpenApiController,
    SessionController,
    ConfigController,
    SkillsController,
    FeedsController,
    SkillTrialController,
    SessionsController,
    OverviewController,
    KnowledgeController,
    MemoryController,
    RootController,
  ],
  providers: [
    AdminFeeds,
    AdminSkills,
    AdminKnowledge,
    AdminMemory,
    BodyBudget,
    McpSessions,
    OpenApi,
    OverviewService,
    SkillTrials,
    { provide: UI_FOLDER, useValue: join(PROJECT_ROOT, 'libs/admin-ui/dist') },
    { provide: APP_FILTER, useClass: ProblemFilter },
  ],
})
export class AdminModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(HostCheck, securityHeaders, AdminUi).forRoutes('admin', 'admin/*path');
    consumer.apply(neverCached).forRoutes('admin/api/*path');
  }
}

import { type DynamicModule, Module, type ModuleMetadata } from '@nestjs/common';
import { AdminModule } from './entrypoints/admin/admin.module.js';
import { AuditModule } from './access/audit/audit.module.js';
import { FeedsModule } from './features/feeds/feeds.module.js';
import { HealthModule } from './entrypoints/health/health.module.js';
import { HooksModule } from './entrypoints/hooks/hooks.module.js';
import { OAuthEntryModule } from './entrypoints/oauth/oauth-entry.module.js';
import { SharedSkillsModule } from './entrypoints/shared-skills/shared-skills.module.js';
import { KnowledgeModule } from './features/knowledge/knowledge.module.js';
import { LlmModule } from './features/llm/llm.module.js';
import { McpModule } from './entrypoints/mcp/mcp.module.js';
import { MemoryModule } from './features/memory/memory.module.js';
import { NetworkModule } from './platform/network/network.module.js';
import { ResourcesModule } from './core/resources/resources.module.js';
import { SkillsModule } from './core/skills/skills.module.js';
import { SkillModulesModule } from './features/modules/skill-modules.module.js';
import { SearchEverywhereModule } from './features/search-everywhere/search-everywhere.module.js';
import { PackageProposalsModule } from './features/packages/proposals/package-proposals.module.js';
import { SkillPackagesModule } from './features/packages/skill-packages.module.js';
import { TelemetryModule } from './platform/telemetry/telemetry.module.js';
import { AuthoringModule } from './features/workflows/authoring/authoring.module.js';
import { CallsModule } from './features/workflows/calls/calls.module.js';

@Module({
  imports: [
    TelemetryModule,
    AuditModule,
    NetworkModule,
    SkillsModule,
    KnowledgeModule,
    MemoryModule,
    FeedsModule,
    LlmModule,
    CallsModule,
    AuthoringModule,
    SkillPackagesModule,
    SkillModulesModule,
    PackageProposalsModule,
    SearchEverywhereModule,
    ResourcesModule,
    McpModule,
    AdminModule,
    HealthModule,
    HooksModule,
    SharedSkillsModule,
    OAuthEntryModule,
  ],
})
export class AppModule {
  /** Returns the service with additional modules, such as modules with skills. */
  static with(imports: NonNullable<ModuleMetadata['imports']>): DynamicModule {
    return { module: AppModule, imports };
  }
}

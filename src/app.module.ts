import { type DynamicModule, Module, type ModuleMetadata } from '@nestjs/common';
import { AdminModule } from './admin/admin.module.js';
import { AuditModule } from './audit/audit.module.js';
import { FeedsModule } from './feeds/feeds.module.js';
import { HealthModule } from './health/health.module.js';
import { HooksModule } from './hooks/hooks.module.js';
import { KnowledgeModule } from './knowledge/knowledge.module.js';
import { McpModule } from './mcp/mcp.module.js';
import { MemoryModule } from './memory/memory.module.js';
import { NetworkModule } from './network/network.module.js';
import { ResourcesModule } from './resources/resources.module.js';
import { SkillsModule } from './skills/skills.module.js';
import { TelemetryModule } from './telemetry/telemetry.module.js';
import { CallsModule } from './workflows/calls/calls.module.js';

@Module({
  imports: [
    TelemetryModule,
    AuditModule,
    NetworkModule,
    SkillsModule,
    KnowledgeModule,
    MemoryModule,
    FeedsModule,
    CallsModule,
    ResourcesModule,
    McpModule,
    AdminModule,
    HealthModule,
    HooksModule,
  ],
})
export class AppModule {
  /** Returns the service with additional modules, such as modules with skills. */
  static with(imports: NonNullable<ModuleMetadata['imports']>): DynamicModule {
    return { module: AppModule, imports };
  }
}

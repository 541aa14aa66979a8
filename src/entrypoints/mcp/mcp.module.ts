import { Module } from '@nestjs/common';
import { ClientsModule } from '../../access/clients/clients.module.js';
import { ConfigModule } from '../../platform/config/config.module.js';
import { DatabaseModule } from '../../platform/database/database.module.js';
import { EnvironmentModule } from '../../platform/environment/environment.module.js';
import { EventsModule } from '../../platform/events/events.module.js';
import { PolicyModule } from '../../access/policy/policy.module.js';
import { ResourcesModule } from '../../core/resources/resources.module.js';
import { SecretsModule } from '../../platform/secrets/secrets.module.js';
import { ServiceInfoModule } from '../../platform/service-info/service-info.module.js';
import { SkillsModule } from '../../core/skills/skills.module.js';
import { RunsModule } from '../../features/workflows/engine/runs.module.js';
import { Capabilities } from './capabilities.provider.js';
import { ChangeNotifier } from './change-notifier.service.js';
import { CompletionsCapability } from './completions.capability.js';
import { EndpointLimitsService, McpProtocol, McpTransport } from './mcp-transport.provider.js';
import { Housekeeping } from './housekeeping.service.js';
import { InputRequests } from './input-requests.service.js';
import { McpStorageModule } from './mcp-storage.module.js';
import { McpController } from './mcp.controller.js';
import { NoOAuthController } from './no-oauth.controller.js';
import { PolicyChanges } from './policy-changes.service.js';
import { PromptsCapability } from './prompts.capability.js';
import { RelayListener, ReplicaSync } from './replica-sync.service.js';
import { ResourcesCapability } from './resources.capability.js';
import { TasksCapability } from './tasks.capability.js';
import { ToolSet } from './tool-set.service.js';
import { ToolsCapability } from './tools.capability.js';

@Module({
  imports: [
    EnvironmentModule,
    ConfigModule,
    DatabaseModule,
    McpStorageModule,
    EventsModule,
    SecretsModule,
    ClientsModule,
    SkillsModule,
    ResourcesModule,
    ServiceInfoModule,
    RunsModule,
    PolicyModule,
  ],
  controllers: [McpController, NoOAuthController],
  providers: [
    McpTransport,
    McpProtocol,
    ToolsCapability,
    ResourcesCapability,
    PromptsCapability,
    CompletionsCapability,
    TasksCapability,
    Capabilities,
    InputRequests,
    EndpointLimitsService,
    ChangeNotifier,
    PolicyChanges,
    ReplicaSync,
    RelayListener,
    ToolSet,
    Housekeeping,
  ],
  exports: [McpTransport],
})
export class McpModule {}

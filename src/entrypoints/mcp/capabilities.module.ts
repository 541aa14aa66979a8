import { Module } from '@nestjs/common';
import { ClientsModule } from '../../access/clients/clients.module.js';
import { ConfigModule } from '../../platform/config/config.module.js';
import { ResourcesModule } from '../../core/resources/resources.module.js';
import { SecretsModule } from '../../platform/secrets/secrets.module.js';
import { SkillsModule } from '../../core/skills/skills.module.js';
import { RunsModule } from '../../features/workflows/engine/runs.module.js';
import { SkillPackagesModule } from '../../features/packages/skill-packages.module.js';
import { Capabilities } from './capabilities.provider.js';
import { CompletionsCapability } from './completions.capability.js';
import { InputRequests } from './input-requests.service.js';
import { PromptsCapability } from './prompts.capability.js';
import { ResourcesCapability } from './resources.capability.js';
import { SkillPackagesCapability } from './skill-packages.capability.js';
import { TasksCapability } from './tasks.capability.js';
import { ToolsCapability } from './tools.capability.js';

/** The methods of the protocol, independent of the transport. */
@Module({
  imports: [ConfigModule, SecretsModule, ClientsModule, SkillsModule, ResourcesModule, RunsModule, SkillPackagesModule],
  providers: [
    Capabilities,
    ToolsCapability,
    ResourcesCapability,
    PromptsCapability,
    CompletionsCapability,
    TasksCapability,
    SkillPackagesCapability,
    InputRequests,
  ],
  exports: [Capabilities, InputRequests],
})
export class CapabilitiesModule {}

import { Module } from '@nestjs/common';
import { ClientsModule } from '../../../access/clients/clients.module.js';
import { ConfigModule } from '../../../platform/config/config.module.js';
import { EventsModule } from '../../../platform/events/events.module.js';
import { PolicyModule } from '../../../access/policy/policy.module.js';
import { SkillsModule } from '../../../core/skills/skills.module.js';
import { AdminBodiesModule } from '../api/body/admin-bodies.module.js';
import { AccountsModule } from '../../../access/accounts/accounts.module.js';
import { McpSessionsController } from '../mcp-sessions/mcp-sessions.controller.js';
import { AdminClients } from './admin-clients.service.js';
import { ClientTools } from './client-tools.service.js';
import { ClientGroupsController, ClientsController } from './clients.controller.js';

@Module({
  imports: [AccountsModule, AdminBodiesModule, ClientsModule, ConfigModule, EventsModule, PolicyModule, SkillsModule],
  controllers: [ClientsController, ClientGroupsController, McpSessionsController],
  providers: [AdminClients, ClientTools],
  exports: [ClientTools],
})
export class AdminClientsModule {}

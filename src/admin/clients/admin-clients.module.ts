import { Module } from '@nestjs/common';
import { ClientsModule } from '../../clients/clients.module.js';
import { ConfigModule } from '../../config/config.module.js';
import { PolicyModule } from '../../policy/policy.module.js';
import { SkillsModule } from '../../skills/skills.module.js';
import { AdminBodiesModule } from '../api/body/admin-bodies.module.js';
import { AdminAuthModule } from '../auth/admin-auth.module.js';
import { AdminClients } from './admin-clients.service.js';
import { ClientGroupsController } from './client-groups.controller.js';
import { ClientTools } from './client-tools.service.js';
import { ClientsController } from './clients.controller.js';

@Module({
  imports: [AdminAuthModule, AdminBodiesModule, ClientsModule, ConfigModule, PolicyModule, SkillsModule],
  controllers: [ClientsController, ClientGroupsController],
  providers: [AdminClients, ClientTools],
})
export class AdminClientsModule {}

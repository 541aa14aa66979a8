import { Module } from '@nestjs/common';
import { ClientsModule } from '../../clients/clients.module.js';
import { ConfigModule } from '../../config/config.module.js';
import { AdminBodiesModule } from '../api/body/admin-bodies.module.js';
import { AdminAuthModule } from '../auth/admin-auth.module.js';
import { AdminClients } from './admin-clients.service.js';
import { ClientGroupsController } from './client-groups.controller.js';
import { ClientsController } from './clients.controller.js';

@Module({
  imports: [AdminAuthModule, AdminBodiesModule, ClientsModule, ConfigModule],
  controllers: [ClientsController, ClientGroupsController],
  providers: [AdminClients],
})
export class AdminClientsModule {}

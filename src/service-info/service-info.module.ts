import { Module } from '@nestjs/common';
import { ClientsModule } from '../clients/clients.module.js';
import { EnvironmentModule } from '../environment/environment.module.js';
import { IndexBuilding } from './index-building.service.js';
import { McpStatus } from './mcp-status.service.js';

@Module({
  imports: [EnvironmentModule, ClientsModule],
  providers: [McpStatus, IndexBuilding],
  exports: [McpStatus, IndexBuilding],
})
export class ServiceInfoModule {}

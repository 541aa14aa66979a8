import { Module } from '@nestjs/common';
import { ClientsModule } from '../clients/clients.module.js';
import { EnvironmentModule } from '../environment/environment.module.js';
import { IndexBuilding } from './index-building.service.js';
import { SecretsModule } from '../secrets/secrets.module.js';
import { McpStatus } from './mcp-status.service.js';
import { OwnPages } from './own-page.service.js';

@Module({
  imports: [EnvironmentModule, ClientsModule, SecretsModule],
  providers: [McpStatus, IndexBuilding, OwnPages],
  exports: [McpStatus, IndexBuilding, OwnPages],
})
export class ServiceInfoModule {}

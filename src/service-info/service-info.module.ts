import { Module } from '@nestjs/common';
import { ClientsModule } from '../clients/clients.module.js';
import { EnvironmentModule } from '../environment/environment.module.js';
import { McpStatus } from './mcp-status.service.js';

@Module({ imports: [EnvironmentModule, ClientsModule], providers: [McpStatus], exports: [McpStatus] })
export class ServiceInfoModule {}

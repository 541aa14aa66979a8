import { Module } from '@nestjs/common';
import { ConfigModule } from '../../platform/config/config.module.js';
import { DatabaseModule } from '../../platform/database/database.module.js';
import { EnvironmentModule } from '../../platform/environment/environment.module.js';
import { EventsModule } from '../../platform/events/events.module.js';
import { ClientRegistry } from './client-registry.service.js';
import { ClientStore } from './client.store.js';
import { ClientUseStore } from './client-use.store.js';
import { ClientUses, ConnectedClients } from './connected-clients.service.js';
import { ClientsService } from './clients.service.js';
import { McpStatus } from './mcp-status.service.js';
import { OAuthAddresses } from './oauth-addresses.service.js';
import { RequestRates } from './request-rates.service.js';
import { SessionStore } from './session.store.js';
import { WrongKeys } from './guess-limit.js';

@Module({
  imports: [ConfigModule, DatabaseModule, EnvironmentModule, EventsModule],
  providers: [
    ClientsService,
    ClientRegistry,
    ClientStore,
    ClientUses,
    ClientUseStore,
    ConnectedClients,
    McpStatus,
    OAuthAddresses,
    RequestRates,
    SessionStore,
    WrongKeys,
  ],
  exports: [
    ClientsService,
    ClientRegistry,
    ClientUses,
    ConnectedClients,
    McpStatus,
    OAuthAddresses,
    RequestRates,
    SessionStore,
    WrongKeys,
  ],
})
export class ClientsModule {}

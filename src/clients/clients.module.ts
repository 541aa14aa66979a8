import { Module } from '@nestjs/common';
import { ConfigModule } from '../config/config.module.js';
import { DatabaseModule } from '../database/database.module.js';
import { EventsModule } from '../events/events.module.js';
import { ClientRegistry } from './client-registry.service.js';
import { ClientStore } from './client.store.js';
import { ClientUseStore } from './client-use.store.js';
import { ClientUses } from './client-uses.service.js';
import { ClientsService } from './clients.service.js';
import { ConnectedPrograms } from './connected-programs.service.js';
import { SessionStore } from './session.store.js';
import { WrongKeys } from './wrong-keys.service.js';

@Module({
  imports: [ConfigModule, DatabaseModule, EventsModule],
  providers: [
    ClientsService,
    ClientRegistry,
    ClientStore,
    ClientUses,
    ClientUseStore,
    ConnectedPrograms,
    SessionStore,
    WrongKeys,
  ],
  exports: [ClientsService, ClientRegistry, ClientUses, ConnectedPrograms, SessionStore, WrongKeys],
})
export class ClientsModule {}

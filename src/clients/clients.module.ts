import { Module } from '@nestjs/common';
import { ConfigModule } from '../config/config.module.js';
import { DatabaseModule } from '../database/database.module.js';
import { EventsModule } from '../events/events.module.js';
import { ClientsService } from './clients.service.js';
import { ConnectedPrograms } from './connected-programs.service.js';
import { SessionStore } from './session.store.js';
import { WrongKeys } from './wrong-keys.service.js';

@Module({
  imports: [ConfigModule, DatabaseModule, EventsModule],
  providers: [ClientsService, ConnectedPrograms, SessionStore, WrongKeys],
  exports: [ClientsService, ConnectedPrograms, SessionStore, WrongKeys],
})
export class ClientsModule {}

import { Module } from '@nestjs/common';
import { ConfigModule } from '../config/config.module.js';
import { DatabaseModule } from '../database/database.module.js';
import { EventsModule } from '../events/events.module.js';
import { ClientsService } from './clients.service.js';
import { ConnectedPrograms } from './connected-programs.service.js';
import { SessionStore } from './session.store.js';
import { SessionsService } from './sessions.service.js';
import { WrongKeys } from './wrong-keys.service.js';

@Module({
  imports: [ConfigModule, DatabaseModule, EventsModule],
  providers: [ClientsService, ConnectedPrograms, SessionStore, SessionsService, WrongKeys],
  exports: [ClientsService, ConnectedPrograms, SessionsService, WrongKeys],
})
export class ClientsModule {}

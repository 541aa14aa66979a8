import { Module } from '@nestjs/common';
import { ClientsService } from './clients.service.js';
import { ConnectedPrograms } from './connected-programs.service.js';
import { SessionStore } from './session.store.js';
import { SessionsService } from './sessions.service.js';
import { WrongKeys } from './wrong-keys.service.js';

@Module({
  providers: [ClientsService, ConnectedPrograms, SessionStore, SessionsService, WrongKeys],
  exports: [ClientsService, ConnectedPrograms, SessionsService, WrongKeys],
})
export class ClientsModule {}

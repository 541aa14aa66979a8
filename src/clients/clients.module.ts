import { Module } from '@nestjs/common';
import { ClientsService } from './clients.service.js';
import { ConnectedPrograms } from './connected-programs.service.js';
import { SessionStore } from './session.store.js';
import { SessionsService } from './sessions.service.js';

@Module({
  providers: [ClientsService, ConnectedPrograms, SessionStore, SessionsService],
  exports: [ClientsService, ConnectedPrograms, SessionsService],
})
export class ClientsModule {}

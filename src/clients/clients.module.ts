import { Module } from '@nestjs/common';
import { ClientsService } from './clients.service.js';
import { SessionStore } from './session.store.js';
import { SessionsService } from './sessions.service.js';

@Module({
  providers: [ClientsService, SessionStore, SessionsService],
  exports: [ClientsService, SessionsService],
})
export class ClientsModule {}

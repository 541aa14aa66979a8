import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../../../platform/database/database.module.js';
import { EmittedEvents } from './emitted-events.service.js';
import { RunChainStore } from './run-chain.store.js';

@Module({
  imports: [DatabaseModule],
  providers: [RunChainStore, EmittedEvents],
  exports: [RunChainStore, EmittedEvents],
})
export class EmittedEventsModule {}

import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../../../platform/database/database.module.js';
import { EmittedEvents } from './emitted-events.service.js';
import { PublishedEvents } from './published-events.service.js';
import { RunChainStore } from './run-chain.store.js';

@Module({
  imports: [DatabaseModule],
  providers: [RunChainStore, EmittedEvents, PublishedEvents],
  exports: [RunChainStore, EmittedEvents, PublishedEvents],
})
export class RunEventsModule {}

import { Module } from '@nestjs/common';
import { ClientsModule } from '../../access/clients/clients.module.js';
import { DatabaseModule } from '../../platform/database/database.module.js';
import { ChangeLogStore } from './change-log.store.js';
import { DatabaseStorage } from './database-storage.service.js';
import { RelayStore } from './relay.store.js';
import { ReplicaRelay } from './replica-relay.service.js';
import { StreamJournalStore } from './stream-journal.store.js';

/** The endpoint's data in the database, and its messages to the other replicas. */
@Module({
  imports: [DatabaseModule, ClientsModule],
  providers: [DatabaseStorage, ChangeLogStore, StreamJournalStore, RelayStore, ReplicaRelay],
  exports: [DatabaseStorage, ChangeLogStore, StreamJournalStore, ReplicaRelay],
})
export class McpStorageModule {}

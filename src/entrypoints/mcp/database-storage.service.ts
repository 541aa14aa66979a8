import { Injectable } from '@nestjs/common';
import type { EndpointStorage, Relay } from '#mcp-http';
import { SessionStore } from '../../access/clients/session.store.js';
import { ReplicaChannel } from '../../platform/database/replica-channel.service.js';
import { ChangeLogStore } from './change-log.store.js';
import { ReplicaRelay } from './replica-relay.service.js';
import { StreamJournalStore } from './stream-journal.store.js';

/** The storage of the endpoint: three stores in the database, and the relay between the replicas that share it. */
@Injectable()
export class DatabaseStorage implements EndpointStorage {
  readonly relay: Relay | null;

  constructor(
    readonly sessions: SessionStore,
    readonly changes: ChangeLogStore,
    readonly journal: StreamJournalStore,
    channel: ReplicaChannel,
    relay: ReplicaRelay,
  ) {
    this.relay = channel.hasOthers ? relay : null;
  }
}

import { Injectable } from '@nestjs/common';
import type { EndpointStorage } from '#mcp-http';
import { SessionStore } from '../clients/session.store.js';
import { ChangeLogStore } from './change-log.store.js';
import { StreamJournalStore } from './stream-journal.store.js';

/** The storage of the endpoint: three stores on the database. */
@Injectable()
export class DatabaseStorage implements EndpointStorage {
  constructor(
    readonly sessions: SessionStore,
    readonly changes: ChangeLogStore,
    readonly journal: StreamJournalStore,
  ) {}
}

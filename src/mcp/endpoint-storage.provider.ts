import { Injectable } from '@nestjs/common';
import type { EndpointStorage, SessionRecord, SessionStorage } from '#mcp-http';
import { SessionsService } from '../clients/sessions.service.js';
import { ChangeLogStore } from './change-log.store.js';
import { StreamJournalStore } from './stream-journal.store.js';

/** The storage of the endpoint, in the database. */
@Injectable()
export class EndpointStorageProvider implements EndpointStorage {
  readonly sessions: SessionStorage;

  constructor(
    sessions: SessionsService,
    readonly changes: ChangeLogStore,
    readonly journal: StreamJournalStore,
  ) {
    this.sessions = {
      find: (id) => sessions.find(id),
      create: (record) => sessions.create({ ...record, ...programOf(record), createdAt: record.lastSeenAt }),
      touch: (id, at) => sessions.touch(id, at),
      saveLogLevel: (id, level) => sessions.saveLogLevel(id, level),
      saveSubscriptions: (id, subscriptions) => sessions.saveSubscriptions(id, subscriptions),
      saveEventSeq: (id, seq) => sessions.saveEventSeq(id, seq),
      delete: (id) => sessions.delete(id),
      count: (client) => sessions.count(client),
      deleteUnused: (unused) => sessions.deleteUnused(unused),
    };
  }
}

/** Programs choose these names: this much is enough to tell them apart. */
const LONGEST_NAME = 200;

/** Returns what the connected program calls itself. */
function programOf({ initialize }: SessionRecord): { clientName: string | null; clientVersion: string | null } {
  const { clientInfo } = initialize as { clientInfo?: { name?: unknown; version?: unknown } };
  return { clientName: textOrNull(clientInfo?.name), clientVersion: textOrNull(clientInfo?.version) };
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value.slice(0, LONGEST_NAME).toWellFormed() : null;
}

import type { Database } from '../../platform/database/database.js';
import { AuditAppendStore } from './audit-append.store.js';
import { AuditChain } from './audit-chain.service.js';
import type { AuditEntry } from './audit-entry.js';
import { AuditLog } from './audit-log.service.js';
import { AuditQueryStore } from './audit-query.store.js';
import { AuditReader } from './audit-reader.service.js';

/** The audit log of one process on a database. */
export function auditOn(database: Database) {
  const appended = new AuditAppendStore(database);
  const entries = new AuditQueryStore(database);
  return {
    log: new AuditLog(appended),
    reader: new AuditReader(entries),
    chain: new AuditChain(appended, entries),
    appended,
  };
}

/** Makes the entry of a successful call, with changes. */
export const auditEntry = (change: Partial<AuditEntry> = {}): AuditEntry => ({
  kind: 'call',
  at: new Date(Date.UTC(2026, 0, 1)),
  client: { name: 'ide', groups: [] },
  action: 'callTool',
  subject: 'forecast',
  arguments: {},
  outcome: 'ok',
  durationMs: 1,
  ...change,
});

import type { Database } from '../../platform/database/database.js';
import { AuditAppendStore } from './audit-append.store.js';
import { linkHash } from './audit-batch.rules.js';
import { AuditBatchStore } from './audit-batch.store.js';
import { AuditChain } from './audit-chain.service.js';
import { textOf, toBody } from './audit-body.rules.js';
import type { AuditEntry, AuditItem, AuditRecord } from './audit-entry.js';
import { AuditLog } from './audit-log.service.js';
import { AuditReader } from './audit-reader.service.js';
import { AuditTexts } from './audit-texts.service.js';

/** Shared by all logs of a process. */
const TEXTS = new AuditTexts();

export function auditOn(database: Database) {
  const appended = new AuditAppendStore(database);
  const batches = new AuditBatchStore(database);
  return {
    log: new AuditLog(appended),
    reader: new AuditReader(batches, TEXTS, appended),
    chain: new AuditChain(appended, batches, TEXTS),
    appended,
    batches,
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

export async function storedEntries(database: Database): Promise<AuditItem[]> {
  const rows = await database.selectFrom('audit_batches').selectAll().orderBy('first_seq').execute();
  return rows.flatMap(({ first_seq, hash, body }) =>
    (textOf(body) ?? '').split('\n').map((json, index) => ({
      seq: Number(first_seq) + index,
      ...(JSON.parse(json) as AuditRecord),
      hash,
    })),
  );
}

/** A change of a stored batch by somebody with full access to the database. */
export interface Forgery {
  firstSeq: number;
  change: (text: string) => string;
  /** True when the hash is recomputed to match. */
  isChained?: boolean;
}

/** Changes the text of a stored batch. */
export async function forge(database: Database, { firstSeq, change, isChained = false }: Forgery): Promise<void> {
  const batches = database.selectFrom('audit_batches').selectAll();
  const [batch, previous] = await batches.where('first_seq', '<=', firstSeq).orderBy('first_seq', 'desc').execute();
  const text = change((batch && textOf(batch.body)) ?? '');
  await database
    .updateTable('audit_batches')
    .set({ body: await toBody(text), ...(isChained && { hash: linkHash(previous?.hash ?? '0'.repeat(64), text) }) })
    .where('first_seq', '=', firstSeq)
    .execute();
}

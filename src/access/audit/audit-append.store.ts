import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { CompiledQuery, type Transaction } from 'kysely';
import { Database } from '../../platform/database/database.js';
import type { Tables } from '../../platform/database/tables.js';
import { type DialectName, dialectOf, lockUntilCommit, placeholders } from '../../platform/sql/dialect.js';
import type { ChainLink } from './audit-entry.js';
import { BEGINNING, linkHash, numbered, type PreparedRecord, toRecord } from './audit-record.rules.js';
import type { CountedCall } from './call-count.rules.js';
import { addToCounts } from './call-count.store.js';

/** Records that are appended together, or not at all. */
export interface Batch {
  records: readonly PreparedRecord[];
  calls: readonly CountedCall[];
  /** Whether more are waiting than the next batch takes: then nobody else has a turn before this one is written. */
  isLate: boolean;
  /** Whether it may use the disk space that is kept in reserve. */
  isUrgent: boolean;
  /** What the last try would have written, though it failed; null before the first try. */
  tried: { seq: number; hash: string } | null;
}

/** The ends of the chain: the last entry, and the last one that was deleted for its age. */
export interface ChainEnds {
  head: ChainLink;
  anchor: ChainLink;
}

/**
 * Rows of one statement: only a few sizes, so that their statements stay prepared. SQLite takes longer for a row of a long
 * statement; PostgreSQL is asked less often.
 */
const ROWS_AT_ONCE: Readonly<Record<DialectName, readonly number[]>> = { sqlite: [16, 1], postgres: [64, 8, 1] };
/** How long the insertion of rows may hold the main thread, in milliseconds. */
const TURN_MS = 2;
const LOCK = 'audit log';
const COLUMNS = ['seq', 'at', 'kind', 'client', 'admin', 'subject', 'outcome', 'record', 'search', 'hash'] as const;

/** Appends to the chain of the audit log, and removes its oldest entries. */
@Injectable()
export class AuditAppendStore {
  constructor(private readonly database: Database) {}

  /**
   * Appends a batch to the chain, which is one for all replicas. When a try has failed, call it again with the same
   * batch: the entries are written once, even if the failed try had written them after all.
   */
  async append(batch: Batch): Promise<void> {
    const write = () => this.write(batch);
    await (batch.isUrgent ? this.evenWhenFull(write) : write());
  }

  evenWhenFull<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.database.evenWhenFull(work);
  }

  private async write(batch: Batch): Promise<void> {
    await this.database.transaction().execute(async (transaction) => {
      const ends = await lockedEnds(transaction);
      if (batch.tried && (await isWritten(transaction, batch.tried))) return;
      const rows = chained(ends.head, batch.records);
      const last = rows.at(-1);
      if (!last) return;
      batch.tried = { seq: last.seq, hash: last.hash };
      await insertAll(transaction, rows, batch.isLate ? Infinity : TURN_MS);
      await saveEnds(transaction, { ...ends, head: last });
      await addToCounts(transaction, batch.calls);
    });
  }

  /** Whether an urgent batch can be written on a full disk. */
  get hasReserve(): boolean {
    return this.database.hasReserve;
  }

  /** Returns the ends of the chain, as they are now. */
  async ends(): Promise<ChainEnds> {
    return endsIn(this.database);
  }

  /**
   * Deletes the oldest entries that are older than `before`, at most `limit` of them, moves the anchor of the chain, and
   * appends an entry that says so. Returns how many were deleted.
   */
  async deleteOldest({ before, limit, now }: { before: Date; limit: number; now: Date }): Promise<number> {
    return this.database.transaction().execute(async (transaction) => {
      const ends = await lockedEnds(transaction);
      const oldest = await transaction
        .selectFrom('audit_log')
        .select(['seq', 'hash', 'at'])
        .where('seq', '>', ends.anchor.seq)
        .orderBy('seq')
        .limit(limit)
        .execute();
      const firstKept = oldest.findIndex(({ at }) => at >= before.toISOString());
      const old = firstKept < 0 ? oldest : oldest.slice(0, firstKept);
      const last = old.at(-1);
      if (!last) return 0;
      const entry = toRecord({
        kind: 'retention',
        at: now,
        action: 'delete',
        outcome: 'ok',
        count: old.length,
        message: `entries older than ${before.toISOString()} were deleted`,
        deletedTo: { seq: Number(last.seq), hash: last.hash },
      });
      const [added] = chained(ends.head, [entry]);
      if (!added) return 0;
      await insert(transaction, [added]);
      await saveEnds(transaction, { head: added, anchor: last });
      await transaction.deleteFrom('audit_log').where('seq', '<=', last.seq).execute();
      return old.length;
    });
  }
}

type LogRow = Tables['audit_log'];

function* chunksOf(rows: readonly LogRow[], sizes: readonly number[]): Generator<readonly LogRow[]> {
  let first = 0;
  for (const size of sizes) {
    for (; rows.length - first >= size; first += size) yield rows.slice(first, first + size);
  }
}

/** @param turnMs after which others have a turn, because the embedded database works in this thread */
async function insertAll(transaction: Transaction<Tables>, rows: readonly LogRow[], turnMs: number): Promise<void> {
  let turnEndsAt = performance.now() + turnMs;
  for (const chunk of chunksOf(rows, ROWS_AT_ONCE[dialectOf(transaction)])) {
    await insert(transaction, chunk);
    if (performance.now() < turnEndsAt) continue;
    await nextTurn();
    turnEndsAt = performance.now() + turnMs;
  }
}

// The statement is made once: making it for each batch would cost more than executing it.
async function insert(transaction: Transaction<Tables>, rows: readonly LogRow[]): Promise<void> {
  const values = rows.flatMap((row) => COLUMNS.map((column) => row[column]));
  const statement = insertStatement(dialectOf(transaction), rows.length);
  await transaction.executeQuery(CompiledQuery.raw(statement, values));
}

const statements = new Map<string, string>();

function insertStatement(dialect: DialectName, rows: number): string {
  const key = `${dialect} ${rows}`;
  const known = statements.get(key);
  if (known !== undefined) return known;
  const statement = `insert into audit_log (${COLUMNS.join(', ')}) values ${placeholders(dialect, rows, COLUMNS.length)}`;
  statements.set(key, statement);
  return statement;
}

function chained(head: ChainLink, records: readonly PreparedRecord[]): LogRow[] {
  let { seq, hash } = head;
  return records.map((prepared) => {
    seq += 1;
    const record = numbered(prepared, seq);
    hash = linkHash(hash, record);
    return { seq, ...prepared.columns, record, hash };
  });
}

async function lockedEnds(transaction: Transaction<Tables>): Promise<ChainEnds> {
  await lockUntilCommit(transaction, LOCK);
  return endsIn(transaction);
}

async function endsIn(database: Database | Transaction<Tables>): Promise<ChainEnds> {
  const row = await database.selectFrom('audit_chain').selectAll().where('id', '=', 1).executeTakeFirst();
  if (!row) return { head: BEGINNING, anchor: BEGINNING };
  return {
    head: { seq: Number(row.head_seq), hash: row.head_hash },
    anchor: { seq: Number(row.anchor_seq), hash: row.anchor_hash },
  };
}

async function saveEnds(transaction: Transaction<Tables>, { head, anchor }: ChainEnds): Promise<void> {
  const row = { head_seq: head.seq, head_hash: head.hash, anchor_seq: anchor.seq, anchor_hash: anchor.hash };
  const { numUpdatedRows } = await transaction.updateTable('audit_chain').set(row).executeTakeFirstOrThrow();
  if (numUpdatedRows > 0n) return;
  await transaction
    .insertInto('audit_chain')
    .values({ id: 1, ...row })
    .execute();
}

async function isWritten(transaction: Transaction<Tables>, { seq, hash }: ChainLink): Promise<boolean> {
  const row = await transaction.selectFrom('audit_log').select('hash').where('seq', '=', seq).executeTakeFirst();
  return row?.hash === hash;
}

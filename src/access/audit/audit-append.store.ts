import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { CompiledQuery, type Transaction } from 'kysely';
import { Database } from '../../platform/database/database.js';
import type { Tables } from '../../platform/database/tables.js';
import { type DialectName, dialectOf, lockUntilCommit, placeholders } from '../../platform/sql/dialect.js';
import type { ChainLink } from './audit-entry.js';
import { batchesOf, BEGINNING, linkHash, type NewBatch } from './audit-batch.rules.js';
import { toBody } from './audit-body.rules.js';
import { type PreparedRecord, toRecord } from './audit-record.rules.js';
import { type CallCount, type CountedCall, countsOf } from './call-count.rules.js';
import { addToCounts } from './call-count.store.js';

/** Records to append together: all or none. */
export interface Appended {
  records: readonly PreparedRecord[];
  calls: readonly CountedCall[];
  /** True when it may use the reserved disk space. */
  isUrgent: boolean;
  /** The first batch that the last, failed attempt would have written; null before the first attempt. */
  tried: { seq: number; hash: string } | null;
}

/** The ends of the chain: the last entry, and the last entry that retention deleted. */
export interface ChainEnds {
  head: ChainLink;
  anchor: ChainLink;
}

/**
 * Rows per INSERT: few sizes, so that the statements stay prepared. On SQLite, long statements take longer per row; on
 * PostgreSQL, they save round trips.
 */
const ROWS_AT_ONCE: Readonly<Record<DialectName, readonly number[]>> = { sqlite: [16, 1], postgres: [64, 8, 1] };
/** Batches deleted per transaction. */
const MOST_DELETED = 500;
/** Batches deleted per statement. A batch has about ten terms. */
const DELETED_AT_ONCE = 50;
const LOCK = 'audit log';
const TERM_COLUMNS = ['first_seq', 'term', 'to_ms', 'n'] as const;

/** Appends to the chain of the audit log, and removes its oldest entries. */
@Injectable()
export class AuditAppendStore {
  constructor(private readonly database: Database) {}

  /**
   * Appends records to the chain, which all replicas share. When it fails, call it again with the same object: the entries are
   * written once, even if the failed attempt had been committed.
   */
  async append(appended: Appended): Promise<void> {
    // Prepared in a turn of the event loop before that of the transaction.
    const counts = countsOf(appended.calls);
    const packed = await pack(appended.records);
    const write = () => this.write(appended, packed, counts);
    await (appended.isUrgent ? this.evenWhenFull(write) : write());
  }

  evenWhenFull<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.database.evenWhenFull(work);
  }

  private async write(appended: Appended, packed: readonly PackedBatch[], counts: readonly CallCount[]): Promise<void> {
    await this.database.transaction().execute(async (transaction) => {
      const ends = await lockedEnds(transaction);
      if (appended.tried && (await isWritten(transaction, appended.tried))) return;
      const rows = chained(ends.head, packed);
      const [first, last] = [rows[0], rows.at(-1)];
      if (!first || !last) return;
      appended.tried = { seq: first.row.first_seq, hash: first.row.hash };
      for (const row of rows) await insert(transaction, row);
      await saveEnds(transaction, { ...ends, head: endOf(last.row) });
      await addToCounts(transaction, counts);
    });
  }

  /** True when an urgent batch can be written to a full disk. */
  get hasReserve(): boolean {
    return this.database.hasReserve;
  }

  async ends(): Promise<ChainEnds> {
    return endsIn(this.database);
  }

  /**
   * Deletes the oldest batches that have only entries older than `before`, with at most `limit` entries, but at least one batch;
   * moves the anchor of the chain, and appends an entry about it. Returns how many entries were deleted.
   */
  async deleteOldest({ before, limit, now }: { before: Date; limit: number; now: Date }): Promise<number> {
    return this.database.transaction().execute(async (transaction) => {
      const ends = await lockedEnds(transaction);
      const oldest = await transaction
        .selectFrom('audit_batches')
        .select(['first_seq', 'last_seq', 'hash', 'to_ms'])
        .where('first_seq', '>', ends.anchor.seq)
        // Batches of a clock that was ahead are deleted with those that followed them.
        .where('to_ms', '<=', now.getTime())
        .orderBy('first_seq')
        .limit(MOST_DELETED)
        .execute();
      const isKept = (batch: (typeof oldest)[number], index: number) =>
        Number(batch.to_ms) >= before.getTime() || (index > 0 && Number(batch.last_seq) - ends.anchor.seq > limit);
      const firstKept = oldest.findIndex(isKept);
      const last = (firstKept < 0 ? oldest : oldest.slice(0, firstKept)).at(-1);
      if (!last) return 0;
      const anchor = endOf(last);
      const count = anchor.seq - ends.anchor.seq;
      const entry = toRecord({
        kind: 'retention',
        at: now,
        action: 'delete',
        outcome: 'ok',
        count,
        message: `entries older than ${before.toISOString()} were deleted`,
        deletedTo: anchor,
      });
      const [added] = chained(ends.head, await pack([entry]));
      if (!added) return 0;
      const deletion = { deleted_to_seq: anchor.seq, deleted_to_hash: anchor.hash };
      await insert(transaction, { ...added, row: { ...added.row, ...deletion } });
      await saveEnds(transaction, { head: endOf(added.row), anchor });
      await deleteUpTo(transaction, [...everyNth(oldest, DELETED_AT_ONCE), anchor.seq]);
      return count;
    });
  }
}

/** Deletes the batches up to each of these entries in turn, and yields to the event loop in between. */
async function deleteUpTo(transaction: Transaction<Tables>, seqs: readonly number[]): Promise<void> {
  const last = seqs.at(-1) ?? 0;
  for (const seq of seqs.filter((one) => one <= last)) {
    await transaction.deleteFrom('audit_batches').where('first_seq', '<=', seq).execute();
    await transaction.deleteFrom('audit_terms').where('first_seq', '<=', seq).execute();
    await nextTurn();
  }
}

const everyNth = (batches: readonly Pick<BatchRow, 'last_seq'>[], n: number): number[] =>
  batches.flatMap(({ last_seq }, index) => ((index + 1) % n === 0 ? [Number(last_seq)] : []));

type BatchRow = Tables['audit_batches'];
type PackedBatch = NewBatch & { body: Uint8Array };

interface ChainedBatch {
  row: BatchRow;
  terms: ReadonlyMap<string, number>;
}

const pack = (records: readonly PreparedRecord[]): Promise<PackedBatch[]> =>
  Promise.all(batchesOf(records).map(async (batch) => ({ ...batch, body: await toBody(batch.text) })));

function chained(head: ChainLink, batches: readonly PackedBatch[]): ChainedBatch[] {
  let { seq, hash } = head;
  return batches.map(({ text, entries, fromMs, toMs, terms, body }) => {
    const first_seq = seq + 1;
    seq += entries;
    hash = linkHash(hash, text);
    const times = { from_ms: fromMs, to_ms: toMs };
    return {
      row: { first_seq, last_seq: seq, ...times, deleted_to_seq: null, deleted_to_hash: null, hash, body },
      terms,
    };
  });
}

const endOf = ({ last_seq, hash }: Pick<BatchRow, 'last_seq' | 'hash'>): ChainLink => ({ seq: Number(last_seq), hash });

async function insert(transaction: Transaction<Tables>, { row, terms }: ChainedBatch): Promise<void> {
  await transaction.insertInto('audit_batches').values(row).execute();
  const values = Array.from(terms, ([term, n]) => [row.first_seq, term, row.to_ms, n]);
  const dialect = dialectOf(transaction);
  for (const chunk of chunksOf(values, ROWS_AT_ONCE[dialect])) {
    await transaction.executeQuery(CompiledQuery.raw(insertTerms(dialect, chunk.length), chunk.flat()));
  }
}

function* chunksOf<Row>(rows: readonly Row[], sizes: readonly number[]): Generator<readonly Row[]> {
  let first = 0;
  for (const size of sizes) {
    for (; rows.length - first >= size; first += size) yield rows.slice(first, first + size);
  }
}

const insertTerms = (dialect: DialectName, rows: number): string =>
  `insert into audit_terms (${TERM_COLUMNS.join(', ')}) values ${placeholders(dialect, rows, TERM_COLUMNS.length)}`;

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
  const row = await transaction
    .selectFrom('audit_batches')
    .select('hash')
    .where('first_seq', '=', seq)
    .executeTakeFirst();
  return row?.hash === hash;
}

import { Injectable } from '@nestjs/common';
import { type RawBuilder, sql } from 'kysely';
import type { AuditBatchTable } from '../../platform/database/access-tables.js';
import { Database } from '../../platform/database/database.js';
import { type DialectName, dialectOf, triggersOn } from '../../platform/sql/dialect.js';
import { joinBodies, type JoinedBodies } from './audit-bodies.js';
import { MOST_SPAN_MS } from './audit-batch.rules.js';
import { MOST_TEXT_BYTES } from './audit-body.rules.js';
import type { BatchColumns, TermOfBatch } from './audit-check.rules.js';

export interface BatchRow extends BatchColumns {
  /** Length of its body. */
  bytes: number;
}

/** A batch in which a query may find something. */
export interface Candidate {
  firstSeq: number;
  lastSeq: number;
  toMs: number;
  hash: string;
  bytes: number;
  /** Number of its entries that have the first term of the query; without terms, of all its entries. */
  n: number;
  /** True when it has all terms. */
  fits: boolean;
}

/** A query for batches, newest entries first. */
export interface CandidatesQuery {
  terms: readonly string[];
  /** Only batches with entries of this time or later; null = any. */
  fromMs: number | null;
  /** Only batches with entries before this time; null = any. */
  toMs: number | null;
  /** Only batches that come after this one; null = from the first. */
  after: Candidate | null;
  limit: number;
}

const MOST_ROWS = 1_000;
const ON_BOTH = ['audit_batches', 'audit_terms'].flatMap((table) =>
  ['unchangeable', 'undeletable', 'at_end'].map((guard) => `${table}_${guard}`),
);
const OF_CHAIN = ['audit_chain_forward', 'audit_chain_undeletable', 'audit_chain_single'];
const TABLES = ['audit_batches', 'audit_terms', 'audit_chain'];
const GUARDS: Readonly<Record<DialectName, readonly string[]>> = {
  sqlite: [...ON_BOTH, ...OF_CHAIN],
  postgres: [...ON_BOTH, ...OF_CHAIN, ...TABLES.map((table) => `${table}_untruncatable`)],
};
const COLUMNS = [
  'first_seq',
  'last_seq',
  'from_ms',
  'to_ms',
  'deleted_to_seq',
  'deleted_to_hash',
  'hash',
  sql<number>`length(body)`.as('bytes'),
] as const;

@Injectable()
export class AuditBatchStore {
  constructor(private readonly database: Database) {}

  /** Returns the last batch that begins with this entry or before it. */
  async findUpTo(seq: number): Promise<BatchRow | undefined> {
    const query = this.database.longReads.selectFrom('audit_batches').select(COLUMNS).where('first_seq', '<=', seq);
    const row = await query.orderBy('first_seq', 'desc').limit(1).executeTakeFirst();
    return row && toBatch(row);
  }

  /**
   * Returns batches in the order of the chain, from the first one that begins at or after this entry. They have at most this many
   * entries and bytes, but at least one batch is returned if there is one.
   */
  async listFrom(seq: number, { entries, bytes }: { entries: number; bytes: number }): Promise<BatchRow[]> {
    const query = this.database.longReads.selectFrom('audit_batches').select(COLUMNS).where('first_seq', '>=', seq);
    const rows = (await query.orderBy('first_seq').limit(MOST_ROWS).execute()).map(toBatch);
    let [count, length] = [0, 0];
    const tooMany = rows.findIndex((row, index) => {
      count += row.lastSeq - row.firstSeq + 1;
      length += row.bytes;
      return index > 0 && (count > entries || length > bytes);
    });
    return tooMany < 0 ? rows : rows.slice(0, tooMany);
  }

  /** Returns the latest batch that records a deletion of old entries. */
  async findRetention(): Promise<BatchRow | undefined> {
    const query = this.database.longReads.selectFrom('audit_batches').select(COLUMNS);
    const row = await query
      .where('deleted_to_seq', 'is not', null)
      .orderBy('first_seq', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row && toBatch(row);
  }

  /** Returns the bodies of batches, in their order; an empty one for a batch that is gone, or too long to read. */
  async bodiesOf(batches: readonly { firstSeq: number; bytes: number }[]): Promise<JoinedBodies> {
    const readable = batches.flatMap(({ firstSeq, bytes }) => (bytes <= MOST_TEXT_BYTES ? [firstSeq] : []));
    if (readable.length === 0) return joinBodies(batches.map(() => new Uint8Array()));
    const rows = await this.database.longReads
      .selectFrom('audit_batches')
      .select(['first_seq', 'body'])
      .where('first_seq', 'in', readable)
      .execute();
    const bodies = new Map(rows.map(({ first_seq, body }) => [Number(first_seq), body]));
    return joinBodies(batches.map(({ firstSeq }) => bodies.get(firstSeq) ?? new Uint8Array()));
  }

  /** Returns the terms of all batches that begin in a part of the chain. */
  async termsBetween(first: number, last: number): Promise<TermOfBatch[]> {
    const query = this.database.longReads.selectFrom('audit_terms').selectAll();
    const rows = await query.where('first_seq', '>=', first).where('first_seq', '<=', last).execute();
    return rows.map(({ first_seq, term, to_ms, n }) => ({
      firstSeq: Number(first_seq),
      term,
      toMs: Number(to_ms),
      n: Number(n),
    }));
  }

  /** Returns a term of a batch up to one entry, or after another one. */
  async termOutside(anchor: number, head: number): Promise<{ seq: number; term: string } | undefined> {
    const query = this.database.longReads.selectFrom('audit_terms').select(['first_seq as seq', 'term']);
    const row =
      (await query.where('first_seq', '<=', anchor).limit(1).executeTakeFirst()) ??
      (await query.where('first_seq', '>', head).limit(1).executeTakeFirst());
    return row && { seq: Number(row.seq), term: row.term };
  }

  /** Sorts terms by the number of their batches, fewest first. Terms with more than `most` batches count as equal. */
  async rarestFirst(terms: readonly string[], most: number): Promise<readonly string[]> {
    if (terms.length < 2) return terms;
    const counted = terms.map(
      (term, place) =>
        sql`select ${sql.lit(place)} as place, count(*) as n from
          (select 1 from audit_terms where term = ${term} limit ${sql.lit(most)}) as counted`,
    );
    const all = sql<{ place: number; n: number }>`${sql.join(counted, sql` union all `)}`;
    const { rows } = await all.execute(this.database.longReads);
    const rarest = rows.toSorted((left, right) => Number(left.n) - Number(right.n));
    return rarest.flatMap(({ place }) => terms[Number(place)] ?? []);
  }

  /** Returns the next batches in which a query may find something. */
  async listCandidates({ terms, fromMs, toMs, after, limit }: CandidatesQuery): Promise<Candidate[]> {
    const [rarest, ...others] = terms;
    const walked = sql.table(rarest === undefined ? 'b' : 'w');
    const conditions: RawBuilder<unknown>[] = [];
    if (rarest !== undefined) conditions.push(sql`w.term = ${rarest}`, sql`b.first_seq = w.first_seq`);
    if (fromMs !== null) conditions.push(sql`${walked}.to_ms >= ${fromMs}`);
    if (toMs !== null) conditions.push(sql`b.from_ms < ${toMs}`, sql`${walked}.to_ms <= ${toMs + MOST_SPAN_MS}`);
    if (after) conditions.push(sql`(${walked}.to_ms, ${walked}.first_seq) < (${after.toMs}, ${after.firstSeq})`);
    const has = others.map(
      (term) => sql`exists (select 1 from audit_terms o where o.first_seq = b.first_seq and o.term = ${term})`,
    );
    // Makes SQLite join in this order: the walked term first.
    const from = rarest === undefined ? sql`audit_batches b` : sql`audit_terms w cross join audit_batches b`;
    const { rows } = await sql<CandidateRow>`
      select b.first_seq, b.last_seq, b.to_ms, b.hash, length(b.body) as bytes,
        ${rarest === undefined ? sql`b.last_seq - b.first_seq + 1` : sql`w.n`} as n,
        ${has.length === 0 ? sql`1` : sql`case when ${sql.join(has, sql` and `)} then 1 else 0 end`} as fits
      from ${from} ${conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`}
      order by ${walked}.to_ms desc, ${walked}.first_seq desc limit ${limit}`.execute(this.database.longReads);
    return rows.map(toCandidate);
  }

  /** Returns the names of the triggers that should guard the log but are missing. */
  async missingGuards(): Promise<string[]> {
    const there = new Set(await triggersOn(this.database.longReads, TABLES));
    return GUARDS[dialectOf(this.database)].filter((name) => !there.has(name));
  }
}

type ColumnsRow = Omit<AuditBatchTable, 'body'> & { bytes: number };

const toBatch = ({ deleted_to_seq, deleted_to_hash, ...row }: ColumnsRow): BatchRow => ({
  firstSeq: Number(row.first_seq),
  lastSeq: Number(row.last_seq),
  fromMs: Number(row.from_ms),
  toMs: Number(row.to_ms),
  hash: row.hash,
  deletedTo: deleted_to_seq === null ? null : { seq: Number(deleted_to_seq), hash: deleted_to_hash ?? '' },
  bytes: Number(row.bytes),
});

interface CandidateRow {
  first_seq: number;
  last_seq: number;
  to_ms: number;
  hash: string;
  bytes: number;
  n: number;
  fits: number;
}

const toCandidate = (row: CandidateRow): Candidate => ({
  firstSeq: Number(row.first_seq),
  lastSeq: Number(row.last_seq),
  toMs: Number(row.to_ms),
  hash: row.hash,
  bytes: Number(row.bytes),
  n: Number(row.n),
  fits: Number(row.fits) === 1,
});

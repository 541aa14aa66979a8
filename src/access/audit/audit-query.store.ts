import { Injectable } from '@nestjs/common';
import { type SelectQueryBuilder, sql } from 'kysely';
import { Database } from '../../platform/database/database.js';
import type { AuditLogTable } from '../../platform/database/access-tables.js';
import type { Tables } from '../../platform/database/tables.js';
import { contains, type DialectName, dialectOf, triggersOn } from '../../platform/sql/dialect.js';
import {
  numberInCursor,
  type Page,
  type PageRequest,
  parseCursor,
  toCursor,
} from '../../platform/paging/page-cursor.js';
import type { AuditItem, AuditKind, AuditRecord, ChainLink } from './audit-entry.js';
import { indexed, parsedRecord } from './audit-record.rules.js';

/** Which entries are listed; what is left out does not matter. */
export interface AuditFilter {
  kind?: AuditKind | undefined;
  client?: string | undefined;
  admin?: string | undefined;
  /** Name of a tool, a URI, or what else the subject is. */
  subject?: string | undefined;
  outcome?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  /** A text that subject, names, message, arguments or states contain, in upper or lower case. */
  q?: string | undefined;
}

/**
 * Entries that are looked through for one page. A filter that only few entries fit may give a page with fewer entries than
 * it could have, and the cursor continues from there.
 */
const MOST_LOOKED_AT = 10_000;

const ON_BOTH = [
  'audit_log_unchangeable',
  'audit_log_undeletable',
  'audit_log_at_end',
  'audit_chain_forward',
  'audit_chain_undeletable',
  'audit_chain_single',
];
const GUARDS: Readonly<Record<DialectName, readonly string[]>> = {
  sqlite: ON_BOTH,
  postgres: [...ON_BOTH, 'audit_log_untruncatable', 'audit_chain_untruncatable'],
};

type Column = 'client' | 'admin' | 'subject' | 'kind' | 'outcome';
type Query<Output> = SelectQueryBuilder<Tables, 'audit_log', Output>;

/** Reads the audit log. */
@Injectable()
export class AuditQueryStore {
  constructor(private readonly database: Database) {}

  async find(seq: number): Promise<AuditItem | undefined> {
    const row = await this.database.longReads
      .selectFrom('audit_log')
      .select(['record', 'hash'])
      .where('seq', '=', seq)
      .executeTakeFirst();
    return row && toItem(row);
  }

  /** Returns one page of entries, the newest first. Takes a limited time, however many entries there are. */
  async listPage({ limit, cursor, ...filter }: PageRequest & AuditFilter): Promise<Page<AuditItem>> {
    const after = cursor === undefined ? undefined : placeOf(cursor);
    const window = this.window(filter, after);
    const found = await window
      .selectAll()
      .$call((query) => matching(dialectOf(this.database), query, filter))
      .orderBy('at', 'desc')
      .orderBy('seq', 'desc')
      .limit(limit + 1)
      .execute();
    const items = found.slice(0, limit);
    const last = found.length > limit ? items.at(-1) : await this.endOfWindow(filter, after);
    return {
      items: items.map(toItem),
      nextCursor: last ? toCursor(last.at, String(last.seq)) : null,
    };
  }

  /** Returns entries by their place in the chain. */
  async listFrom(seq: number, limit: number): Promise<AuditLogTable[]> {
    return this.database.longReads
      .selectFrom('audit_log')
      .selectAll()
      .where('seq', '>=', seq)
      .orderBy('seq')
      .limit(limit)
      .execute();
  }

  /** Returns up to where the latest deletion of old entries went, as its entry says; null before the first. */
  async deletedTo(): Promise<ChainLink | null> {
    const row = await this.database.longReads
      .selectFrom('audit_log')
      .select('record')
      .where('kind', '=', 'retention')
      .where(sql<boolean>`kind <> 'call'`)
      .orderBy('seq', 'desc')
      .limit(1)
      .executeTakeFirst();
    return (row && parsedRecord(row.record)?.deletedTo) ?? null;
  }

  /** Returns the names of the triggers that should guard the log, and do not. */
  async missingGuards(): Promise<string[]> {
    const there = new Set(await triggersOn(this.database.longReads, ['audit_log', 'audit_chain']));
    return GUARDS[dialectOf(this.database)].filter((name) => !there.has(name));
  }

  /** The newest entries that one index finds; the other filters look only at these. */
  private window(filter: AuditFilter, after: Place | undefined) {
    return this.database.longReads.selectFrom(this.newest(filter, after).selectAll().as('audit_log'));
  }

  private async endOfWindow(filter: AuditFilter, after: Place | undefined): Promise<Place | undefined> {
    const [end] = await this.newest(filter, after)
      .select(['at', 'seq'])
      .limit(1)
      .offset(MOST_LOOKED_AT - 1)
      .execute();
    return end && { at: end.at, seq: Number(end.seq) };
  }

  private newest(filter: AuditFilter, after: Place | undefined): Query<object> {
    const column = indexedColumn(filter);
    let query: Query<object> = this.database.longReads
      .selectFrom('audit_log')
      .orderBy('at', 'desc')
      .orderBy('seq', 'desc')
      .limit(MOST_LOOKED_AT);
    if (column) query = query.where(column, '=', valueOf(filter, column));
    // Says what the conditions of the partial indexes say: PostgreSQL does not conclude it from parameters.
    if (column === 'kind') query = query.where(sql<boolean>`kind <> 'call'`);
    if (column === 'outcome') query = query.where(sql<boolean>`outcome <> 'ok'`);
    if (filter.from) query = query.where('at', '>=', filter.from.toISOString());
    if (filter.to) query = query.where('at', '<', filter.to.toISOString());
    if (after)
      query = query.where((where) => where(where.refTuple('at', 'seq'), '<', where.tuple(after.at, after.seq)));
    return query;
  }
}

interface Place {
  at: string;
  seq: number;
}

function placeOf(cursor: string): Place {
  const [at = '', seq = ''] = parseCursor(cursor, 2);
  return { at, seq: numberInCursor(seq) };
}

/** Which filter is found by an index: the one that is likely to leave the fewest entries. */
function indexedColumn({ subject, admin, client, kind, outcome }: AuditFilter): Column | null {
  if (subject !== undefined) return 'subject';
  if (admin !== undefined) return 'admin';
  if (outcome !== undefined && outcome !== 'ok') return 'outcome';
  if (kind !== undefined && kind !== 'call') return 'kind';
  return client === undefined ? null : 'client';
}

const valueOf = (filter: AuditFilter, column: Column): string =>
  column === 'subject' ? indexed(filter.subject ?? '') : (filter[column] ?? '');

function matching<Output>(dialect: DialectName, query: Query<Output>, filter: AuditFilter): Query<Output> {
  let matched = query;
  for (const column of ['client', 'admin', 'subject', 'kind', 'outcome'] as const) {
    if (filter[column] !== undefined) matched = matched.where(column, '=', valueOf(filter, column));
  }
  const { q } = filter;
  if (!q) return matched;
  return matched.where(contains(dialect, 'search', q.toLowerCase()));
}

function toItem({ record, hash }: { record: string; hash: string }): AuditItem {
  return { ...(JSON.parse(record) as AuditRecord), hash };
}

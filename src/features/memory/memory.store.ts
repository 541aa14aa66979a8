import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { type Kysely, type Selectable, sql } from 'kysely';
import { Database } from '../../platform/database/database.js';
import {
  type FormerVersion,
  formerVersion,
  keepFormerVersions,
} from '../../platform/database/former-versions.table.js';
import type { Tables } from '../../platform/database/tables.js';
import type { MemoryEntryTable } from '../../platform/database/text-tables.js';
import {
  mapPage,
  numberInCursor,
  type Page,
  type PageRequest,
  parseCursor,
  toCursor,
  toPage,
} from '../../platform/paging/page-cursor.js';
import { readPage } from '../../platform/sql/read-page.js';
import { languagesOf } from '../../platform/text/counts.table.js';
import type { Language } from '../../platform/text/language.rules.js';
import {
  listUnindexed,
  lockUnindexed,
  removeFromTextIndex,
  searchTextIndex,
  type Unindexed,
} from '../../platform/text/text-index.js';
import type { TextMatch, TextSearch } from '../../platform/text/text-search.js';
import type { MemoryEntry } from './memory-entry.js';
import { isAlive } from './memory-expiry.table.js';
import { INDEXED_TODAY, indexEntry, labelsOf, MEMORY_INDEX } from './memory-index.table.js';
import { contentHash } from './memory.rules.js';

const COLUMNS = [
  'id',
  'namespace',
  'key',
  'content',
  'tags',
  'importance',
  'client',
  'program',
  'version',
  'created_at',
  'updated_at',
  'expires_at',
] as const;

export type StoredEntry = MemoryEntry & { id: number };

/** The language is the one used for its words in the index. */
export type IndexedEntry = StoredEntry & { language: Language };

export type RankedEntry = Pick<StoredEntry, 'id' | 'namespace' | 'key' | 'importance' | 'updatedAt'>;

export interface EntrySearch extends Pick<TextSearch, 'query' | 'limit' | 'signal'> {
  /** null = all. */
  namespace: string | null;
  /** The entry must have all of them. */
  tags: readonly string[];
}

export interface MemoryFilter {
  namespace?: string | undefined;
  /** The entry must have all of them. */
  tags?: readonly string[] | undefined;
}

/** Reads and writes the rows of the memory. Never returns expired entries, even if they are not deleted yet. */
@Injectable()
export class MemoryStore {
  constructor(private readonly database: Database) {}

  async find(namespace: string, key: string, now: Date): Promise<StoredEntry | undefined> {
    const row = await alive(this.database, now)
      .where('namespace', '=', namespace)
      .where('key', '=', key)
      .executeTakeFirst();
    return row && toEntry(row);
  }

  /** Finds the oldest entry of the same namespace that has the same content under another key. */
  async findTwin({ namespace, key, content }: MemoryEntry, now: Date): Promise<StoredEntry | null> {
    const row = await alive(this.database, now)
      .where('namespace', '=', namespace)
      .where('content_hash', '=', contentHash(content))
      .where('key', '!=', key)
      .orderBy('id')
      .executeTakeFirst();
    return row ? toEntry(row) : null;
  }

  /**
   * Adds an entry, and returns its version: one that no entry under its key has had before. Returns undefined, and adds nothing,
   * when its key is taken, even by an expired entry.
   */
  create(entry: MemoryEntry): Promise<number | undefined> {
    return this.database.transaction().execute(async (transaction) => {
      const row = await transaction
        .insertInto('memory_entries')
        .values(toRow(entry))
        .onConflict((conflict) => conflict.columns(['namespace', 'key']).doNothing())
        .returning('id')
        .executeTakeFirst();
      if (!row) return undefined;
      await indexEntry(transaction, { ...entry, id: row.id });
      // Read only now: the insertion has waited for concurrent removals of an entry under this key.
      const version = (await formerVersion(transaction, 'memory', addressOf(entry))) + 1;
      if (version > 1)
        await transaction.updateTable('memory_entries').set({ version }).where('id', '=', row.id).execute();
      return version;
    });
  }

  /**
   * Replaces `before` by `entry`, and moves `before` to the history, which keeps the last `keptVersions` versions. Returns false,
   * and changes nothing, when another call changed or removed `before` first.
   */
  supersede(before: StoredEntry, entry: MemoryEntry, keptVersions: number): Promise<boolean> {
    return this.database.transaction().execute(async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('memory_entries')
        .set(toRow(entry))
        .where('id', '=', before.id)
        .where('version', '=', before.version)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows === 0n) return false;
      await transaction.insertInto('memory_history').values(toHistoryRow(before)).execute();
      await transaction
        .deleteFrom('memory_history')
        .where('entry_id', '=', before.id)
        .where('version', '<=', before.version - keptVersions)
        .execute();
      await removeFromTextIndex(transaction, MEMORY_INDEX, before.id);
      await transaction.deleteFrom('memory_vectors').where('entry_id', '=', before.id).execute();
      await indexEntry(transaction, { ...entry, id: before.id });
      return true;
    });
  }

  /**
   * Deletes an entry and its history; returns whether it existed.
   * @param version only this version; by default any
   */
  delete(namespace: string, key: string, version?: number): Promise<boolean> {
    return this.database.transaction().execute(async (transaction) => {
      let query = transaction.deleteFrom('memory_entries').where('namespace', '=', namespace).where('key', '=', key);
      if (version !== undefined) query = query.where('version', '=', version);
      const removed = await query.returning(['namespace', 'key', 'version']).execute();
      await keepFormerVersions(transaction, 'memory', removed.map(toFormer));
      return removed.length > 0;
    });
  }

  /** Deletes at most `limit` expired entries; returns their namespaces and keys. */
  deleteExpired(now: Date, limit: number): Promise<{ namespace: string; key: string }[]> {
    const expiredAt = now.toISOString();
    return this.database.transaction().execute(async (transaction) => {
      const expired = await transaction
        .deleteFrom('memory_entries')
        .where('id', 'in', (from) =>
          from.selectFrom('memory_entries').select('id').where('expires_at', '<=', expiredAt).limit(limit),
        )
        .where('expires_at', '<=', expiredAt) // PostgreSQL rechecks this for an entry that is renewed concurrently
        .returning(['namespace', 'key', 'version'])
        .execute();
      await keepFormerVersions(transaction, 'memory', expired.map(toFormer));
      return expired;
    });
  }

  /** Returns one page of entries, ordered by namespace and key. */
  async listByKey(page: PageRequest, now: Date): Promise<Page<MemoryEntry>> {
    return mapPage(await readPage(alive(this.database.longReads, now), page, { by: ['namespace', 'key'] }), toEntry);
  }

  /** Returns one page of entries, last changed first. */
  async listPage(
    { limit, cursor, namespace, tags = [] }: PageRequest & MemoryFilter,
    now: Date,
  ): Promise<Page<MemoryEntry>> {
    let query = alive(this.database.longReads, now)
      .orderBy('updated_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit + 1);
    if (namespace !== undefined) query = query.where('namespace', '=', namespace);
    for (const tag of tags) query = query.where(hasTag(tag));
    if (cursor !== undefined) {
      const [updatedAt = '', id = ''] = parseCursor(cursor, 2);
      const before = numberInCursor(id);
      query = query.where((where) => where(where.refTuple('updated_at', 'id'), '<', where.tuple(updatedAt, before)));
    }
    return toPage((await query.execute()).map(toEntry), limit, sortKeyOf);
  }

  async search({ query, namespace, tags, limit, signal }: EntrySearch, now: Date): Promise<TextMatch[]> {
    const { matches } = await searchTextIndex(this.database.longReads, {
      index: MEMORY_INDEX,
      query,
      limit,
      labels: labelsOf(namespace, tags),
      except: sql`select id from memory_entries where expires_at <= ${now.toISOString()}`,
      signal,
    });
    return matches;
  }

  /** Returns the fields that ranking needs; leaves out entries that no longer exist. */
  async listForRanking(ids: readonly number[]): Promise<RankedEntry[]> {
    if (ids.length === 0) return [];
    const rows = await this.database.longReads
      .selectFrom('memory_entries')
      .select(['id', 'namespace', 'key', 'importance', 'updated_at'])
      .where('id', 'in', ids)
      .execute();
    return rows.map(({ updated_at, ...row }) => ({ ...row, updatedAt: new Date(updated_at) }));
  }

  /** Returns entries and their languages in no particular order; leaves out those that no longer exist. */
  async listByIds(ids: readonly number[]): Promise<IndexedEntry[]> {
    if (ids.length === 0) return [];
    const [rows, languages] = await Promise.all([
      this.database.longReads.selectFrom('memory_entries').select(COLUMNS).where('id', 'in', ids).execute(),
      languagesOf(this.database.longReads, MEMORY_INDEX, ids),
    ]);
    return rows.map((row) => ({ ...toEntry(row), language: languages.get(row.id) ?? 'en' }));
  }

  /** Returns the entries after an id that are not in the text index in the current format. */
  listUnindexed(after: number): Promise<Unindexed> {
    return listUnindexed(this.database.longReads, INDEXED, after);
  }

  /** Indexes those of the entries that are still not in the text index in the current format; returns their number. */
  indexMissing(among: readonly number[]): Promise<number> {
    return this.database.transaction().execute(async (transaction) => {
      const ids = await lockUnindexed(transaction, { ...INDEXED, among, limit: among.length });
      if (ids.length === 0) return 0;
      const rows = await transaction.selectFrom('memory_entries').select(COLUMNS).where('id', 'in', ids).execute();
      for (const row of rows) {
        await removeFromTextIndex(transaction, MEMORY_INDEX, row.id);
        await indexEntry(transaction, toEntry(row));
        await nextTurn();
      }
      return rows.length;
    });
  }
}

const addressOf = ({ namespace, key }: Pick<MemoryEntry, 'namespace' | 'key'>): string => `${namespace}/${key}`;

const toFormer = (entry: Pick<MemoryEntry, 'namespace' | 'key' | 'version'>): FormerVersion => ({
  address: addressOf(entry),
  version: entry.version,
});

const INDEXED = { index: MEMORY_INDEX, table: 'memory_entries', label: INDEXED_TODAY };

/** Searches the JSON of the tags, in SQL that both databases support. No tag contains what begins one: its quotes are escaped. */
export const hasTag = (tag: string) => {
  const [first, later] = [`[${JSON.stringify(tag)}`, `,${JSON.stringify(tag)}`];
  return sql<boolean>`(replace(tags, ${first}, '') <> tags or replace(tags, ${later}, '') <> tags)`;
};

const alive = (db: Kysely<Tables>, now: Date) => db.selectFrom('memory_entries').select(COLUMNS).where(isAlive(now));

const sortKeyOf = ({ updatedAt, id }: StoredEntry): string[] => [updatedAt.toISOString(), String(id)];

/** Returns the cursor of a list, last changed first, that continues after an entry. */
export const cursorOfEntry = (entry: StoredEntry): string => toCursor(...sortKeyOf(entry));

type EntryRow = Pick<Selectable<MemoryEntryTable>, (typeof COLUMNS)[number]>;

function toEntry(row: EntryRow): StoredEntry {
  return {
    id: row.id,
    namespace: row.namespace,
    key: row.key,
    content: row.content,
    tags: JSON.parse(row.tags) as string[],
    importance: row.importance,
    client: row.client,
    program: row.program,
    version: row.version,
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
    expiresAt: row.expires_at === null ? null : new Date(row.expires_at),
  };
}

function toRow(entry: MemoryEntry): Omit<Selectable<MemoryEntryTable>, 'id'> {
  return {
    namespace: entry.namespace,
    key: entry.key,
    content: entry.content,
    content_hash: contentHash(entry.content),
    tags: JSON.stringify(entry.tags),
    importance: entry.importance,
    client: entry.client,
    program: entry.program,
    version: entry.version,
    created_at: entry.createdAt.toISOString(),
    updated_at: entry.updatedAt.toISOString(),
    expires_at: entry.expiresAt?.toISOString() ?? null,
  };
}

function toHistoryRow({ id, version, content, tags, importance, client, program, updatedAt }: StoredEntry) {
  return {
    entry_id: id,
    version,
    content,
    tags: JSON.stringify(tags),
    importance,
    client,
    program,
    saved_at: updatedAt.toISOString(),
  };
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { type Selectable, sql } from 'kysely';
import { Database } from '../../../platform/database/database.js';
import type { FeedItemTable } from '../../../platform/database/tables.js';
import { dialectOf, startsWith } from '../../../platform/sql/dialect.js';
import { affectedRows } from '../../../platform/sql/affected-rows.js';
import { type Page, type PageRequest, parseCursor, toCursor, toPage } from '../../../platform/paging/page-cursor.js';
import { wordPatterns } from './feed-search.rules.js';
import type { FeedItem } from './feed.js';

/**
 * Items per statement: databases limit the number of parameters, and other work gets its turn between two statements.
 */
const CHUNK = 50;
/** Items whose texts one statement searches. */
const SEARCHED_AT_ONCE = 2_000;
const COLUMNS = [
  'feed_id',
  'id',
  'revision',
  'url',
  'title',
  'author',
  'published_at',
  'first_seen_at',
  'sorted_at',
  'content',
  'summary',
  'categories',
] as const;

export interface ItemQuery extends PageRequest {
  feed?: string | undefined;
  /** Only items published at this time or later; for an item without a usable date, the time when it was first seen counts. */
  since?: Date | undefined;
  /** Only items published before this time, by the same rule. */
  before?: Date | undefined;
  /** Only items in whose title, author, categories or content all these words occur. */
  query?: string | undefined;
}

/** A range of items in the list: after one sort key, and up to another. */
type PartOfItems = Pick<ItemQuery, 'feed' | 'since' | 'before'> & Record<'after' | 'last', string[] | null>;

const sortKeyOf = (item: FeedItem): string[] => [item.sortedAt.toISOString(), item.feedId, item.id];

/** Returns the cursor of a list, latest first, that continues after an item. */
export const cursorOfItem = (item: FeedItem): string => toCursor(...sortKeyOf(item));

export type SavedItem = FeedItem & { search: string };

export interface ItemIdQuery {
  prefix: string;
  feed?: string | undefined;
  limit: number;
}

/** Reads and writes the rows of feed items. */
@Injectable()
export class FeedItemStore {
  constructor(private readonly database: Database) {}

  async find(feedId: string, id: string): Promise<FeedItem | undefined> {
    const row = await this.database
      .selectFrom('feed_items')
      .select(COLUMNS)
      .where('feed_id', '=', feedId)
      .where('id', '=', id)
      .executeTakeFirst();
    return row && toItem(row);
  }

  /** Returns one page of the matching items, latest first. A search for words scans the texts of the items in parts. */
  async listPage({ query: words = '', limit, cursor, ...among }: ItemQuery): Promise<Page<FeedItem>> {
    const patterns = wordPatterns(words);
    const items: FeedItem[] = [];
    let after = cursor === undefined ? null : parseCursor(cursor, 3);
    for (;;) {
      const last = patterns.length === 0 ? null : await this.endOfPart({ ...among, after });
      let part = this.latest({ ...among, after, last })
        .select(COLUMNS)
        .limit(limit + 1 - items.length);
      for (const pattern of patterns) part = part.where(sql<boolean>`search like ${pattern} escape '!'`);
      items.push(...(await part.execute()).map(toItem));
      if (last === null || items.length > limit) return toPage(items, limit, sortKeyOf);
      after = last;
    }
  }

  /** Returns the sort key of the last item of a part; null = the rest fits into one part. */
  private async endOfPart(part: Omit<PartOfItems, 'last'>): Promise<string[] | null> {
    const row = await this.latest({ ...part, last: null })
      .select(['sorted_at', 'feed_id', 'id'])
      .offset(SEARCHED_AT_ONCE - 1)
      .limit(1)
      .executeTakeFirst();
    return row ? [row.sorted_at, row.feed_id, row.id] : null;
  }

  private latest({ feed, since, before, after, last }: PartOfItems) {
    let query = this.database.longReads
      .selectFrom('feed_items')
      .orderBy('sorted_at', 'desc')
      .orderBy('feed_id', 'desc')
      .orderBy('id', 'desc');
    if (feed !== undefined) query = query.where('feed_id', '=', feed);
    if (since) query = query.where('sorted_at', '>=', since.toISOString());
    if (before) query = query.where('sorted_at', '<', before.toISOString());
    if (after) query = query.where(sql<boolean>`(sorted_at, feed_id, id) < (${sql.join(after)})`);
    if (last) query = query.where(sql<boolean>`(sorted_at, feed_id, id) >= (${sql.join(last)})`);
    return query;
  }

  /** Returns the distinct ids that start with `prefix`, latest item first; of all feeds when `feed` is not given. */
  async listIds({ prefix, feed, limit }: ItemIdQuery): Promise<string[]> {
    let query = this.database.longReads
      .selectFrom('feed_items')
      .select('id')
      .where(startsWith(dialectOf(this.database), 'id', prefix))
      .groupBy('id') // items of two feeds may have the same id
      .orderBy(({ fn }) => fn.max('sorted_at'), 'desc')
      .orderBy('id', 'desc')
      .limit(limit);
    if (feed !== undefined) query = query.where('feed_id', '=', feed);
    return (await query.execute()).map(({ id }) => id);
  }

  /** Returns the revisions of a feed's items, keyed by item id. */
  async revisions(feedId: string): Promise<Map<string, string>> {
    const rows = await this.database
      .selectFrom('feed_items')
      .select(['id', 'revision'])
      .where('feed_id', '=', feedId)
      .execute();
    return new Map(rows.map(({ id, revision }) => [id, revision]));
  }

  /** Returns the number of items of each feed, keyed by feed id; feeds without items are missing. */
  async counts(feedIds: readonly string[]): Promise<Map<string, number>> {
    if (feedIds.length === 0) return new Map();
    const rows = await this.database
      .selectFrom('feed_items')
      .select(({ fn }) => ['feed_id', fn.countAll<number | string>().as('total')])
      .where('feed_id', 'in', feedIds)
      .groupBy('feed_id')
      .execute();
    return new Map(rows.map((row) => [row.feed_id, Number(row.total)]));
  }

  /** Adds items, or replaces the content of those that exist; these keep the time when they were first seen. */
  async save(items: readonly SavedItem[]): Promise<void> {
    await this.database.transaction().execute(async (transaction) => {
      for (let start = 0; start < items.length; start += CHUNK) {
        await transaction
          .insertInto('feed_items')
          .values(items.slice(start, start + CHUNK).map(toRow))
          .onConflict((conflict) =>
            conflict.columns(['feed_id', 'id']).doUpdateSet((row) => ({
              revision: row.ref('excluded.revision'),
              url: row.ref('excluded.url'),
              title: row.ref('excluded.title'),
              author: row.ref('excluded.author'),
              published_at: row.ref('excluded.published_at'),
              content: row.ref('excluded.content'),
              summary: row.ref('excluded.summary'),
              categories: row.ref('excluded.categories'),
              is_in_document: row.ref('excluded.is_in_document'),
              search: row.ref('excluded.search'),
            })),
          )
          .execute();
        await nextTurn();
      }
    });
  }

  /** Marks the items in the current document of the feed, so that `prune` keeps them, and unmarks the others. */
  async markDocument(feedId: string, itemIds: readonly string[]): Promise<void> {
    const current = new Set(itemIds);
    const rows = await this.database
      .selectFrom('feed_items')
      .select(['id', 'is_in_document'])
      .where('feed_id', '=', feedId)
      .execute();
    const changed = (isInDocument: number) =>
      rows.filter((row) => row.is_in_document !== isInDocument && current.has(row.id) === (isInDocument === 1));
    await this.mark(
      feedId,
      1,
      changed(1).map(({ id }) => id),
    );
    await this.mark(
      feedId,
      0,
      changed(0).map(({ id }) => id),
    );
  }

  /**
   * Deletes at most `limit` items older than `before`, except those that are still in their feed's document: they would come back
   * as new. Returns their number.
   */
  async prune(before: Date, limit: number): Promise<number> {
    return affectedRows(
      this.database.deleteFrom('feed_items').where((where) => {
        const old = where
          .selectFrom('feed_items as old')
          .select(['old.feed_id', 'old.id'])
          .where('old.sorted_at', '<', before.toISOString())
          .where('old.is_in_document', '=', sql.lit(0)) // a literal, because SQLite would not use the index for a parameter
          .orderBy('old.sorted_at')
          .limit(limit);
        return sql<boolean>`${where.refTuple('feed_id', 'id')} in ${old}`;
      }),
    );
  }

  private async mark(feedId: string, isInDocument: number, ids: string[]): Promise<void> {
    for (let start = 0; start < ids.length; start += CHUNK) {
      await this.database
        .updateTable('feed_items')
        .set({ is_in_document: isInDocument })
        .where('feed_id', '=', feedId)
        .where('id', 'in', ids.slice(start, start + CHUNK))
        .execute();
    }
  }
}

function toItem(row: Selectable<Omit<FeedItemTable, 'search' | 'is_in_document'>>): FeedItem {
  return {
    feedId: row.feed_id,
    id: row.id,
    revision: row.revision,
    url: row.url,
    title: row.title,
    author: row.author,
    publishedAt: row.published_at === null ? null : new Date(row.published_at),
    firstSeenAt: new Date(row.first_seen_at),
    sortedAt: new Date(row.sorted_at),
    content: row.content,
    summary: row.summary,
    categories: JSON.parse(row.categories) as string[],
  };
}

function toRow(item: SavedItem): FeedItemTable {
  return {
    feed_id: item.feedId,
    id: item.id,
    revision: item.revision,
    url: item.url,
    title: item.title,
    author: item.author,
    published_at: item.publishedAt?.toISOString() ?? null,
    first_seen_at: item.firstSeenAt.toISOString(),
    sorted_at: item.sortedAt.toISOString(),
    content: item.content,
    summary: item.summary,
    categories: JSON.stringify(item.categories),
    is_in_document: 1,
    search: item.search,
  };
}

import { Injectable } from '@nestjs/common';
import { type Selectable, sql, type Transaction } from 'kysely';
import { Database } from '../../../platform/database/database.js';
import { insertIfAbsent } from '../../../platform/database/new-row.table.js';
import { firstIds } from '../../../platform/database/first-ids.table.js';
import type { FeedTable, Tables } from '../../../platform/database/tables.js';
import { mapPage, type Page, type PageRequest } from '../../../platform/paging/page-cursor.js';
import { readPage } from '../../../platform/sql/read-page.js';
import { dialectOf, lockUntilCommit } from '../../../platform/sql/dialect.js';
import { hasEffect } from '../../../platform/sql/affected-rows.js';
import { containsPattern, folded } from './feed-search.rules.js';
import { type Feed, titleOf } from './feed.js';

const COLUMNS = [
  'id',
  'url',
  'published_title',
  'custom_title',
  'description',
  'site_url',
  'folders',
  'interval_minutes',
  'published_interval_minutes',
  'is_paused',
  'is_gone',
  'etag',
  'last_modified',
  'document_hash',
  'failures',
  'last_error',
  'last_fetched_at',
  'last_changed_at',
  'next_poll_at',
  'created_at',
] as const;

/** A feed that has no id yet; it gets the first free one of `ids`. */
export type NewFeed = Omit<Feed, 'id'> & { ids: readonly string[] };

export interface FeedIdQuery {
  prefix: string;
  limit: number;
}

export interface ChangedFeed {
  before: Feed;
  after: Feed;
}

/** Reads and writes the rows of feeds. Changing or deleting a feed that no longer exists does nothing. */
@Injectable()
export class FeedStore {
  constructor(private readonly database: Database) {}

  async find(id: string): Promise<Feed | undefined> {
    const row = await this.database.selectFrom('feeds').select(COLUMNS).where('id', '=', id).executeTakeFirst();
    return row && toFeed(row);
  }

  async findByUrl(url: string): Promise<Feed | undefined> {
    const row = await this.database.selectFrom('feeds').select(COLUMNS).where('url', '=', url).executeTakeFirst();
    return row && toFeed(row);
  }

  /** Returns all feeds, ordered by id. */
  async list(): Promise<Feed[]> {
    return (await this.database.selectFrom('feeds').select(COLUMNS).orderBy('id').execute()).map(toFeed);
  }

  /** Returns the first ids that start with a prefix, in order. */
  listIds(query: FeedIdQuery): Promise<string[]> {
    return firstIds(this.database, 'feeds', query);
  }

  /** Returns one page of feeds, ordered by id; with `q`, only those whose id, title, URL or folders contain it. */
  async listPage({ q, ...page }: PageRequest & { q?: string | undefined }): Promise<Page<Feed>> {
    let query = this.database.selectFrom('feeds').select(COLUMNS);
    if (q) query = query.where(sql<boolean>`search like ${containsPattern(q)} escape '!'`);
    return mapPage(await readPage(query, page, { by: ['id'] }), toFeed);
  }

  /** Returns the feeds that are due to be fetched, longest overdue first. */
  async listDue(now: Date, limit: number): Promise<Feed[]> {
    const rows = await this.database
      .selectFrom('feeds')
      .select(COLUMNS)
      .where('next_poll_at', '<=', now.toISOString())
      .where('is_paused', '=', 0)
      .orderBy('next_poll_at')
      .orderBy('id')
      .limit(limit)
      .execute();
    return rows.map(toFeed);
  }

  async makeDueIfFetchedAfter(time: Date, now: Date): Promise<void> {
    await this.database
      .updateTable('feeds')
      .set({ next_poll_at: now.toISOString() })
      .where('last_fetched_at', '>', time.toISOString())
      .where('next_poll_at', '>', now.toISOString())
      .execute();
  }

  /** Claims a due feed until `leaseUntil`. Returns false when another replica claimed it first. */
  async claim({ id, nextPollAt }: Feed, leaseUntil: Date): Promise<boolean> {
    if (!nextPollAt) return false;
    return hasEffect(
      this.database
        .updateTable('feeds')
        .set({ next_poll_at: leaseUntil.toISOString() })
        .where('id', '=', id)
        .where('next_poll_at', '=', nextPollAt.toISOString()),
    );
  }

  /** Adds a feed. Returns false, and adds nothing, when its id or its URL is taken. */
  async create(feed: Feed): Promise<boolean> {
    return insertIfAbsent(this.database, 'feeds', toRow(feed));
  }

  /** Adds the feeds whose URL is new. Returns the ids of the added ones, in the order of `feeds`. */
  createAll(feeds: readonly NewFeed[]): Promise<string[]> {
    return this.database.transaction().execute(async (transaction) => {
      if (feeds.length === 0) return [];
      // Without the lock, two replicas that add the same feeds in different orders could deadlock.
      await lockUntilCommit(transaction, 'feeds');
      const urls = feeds.map(({ url }) => url);
      const known = await transaction.selectFrom('feeds').select('url').where('url', 'in', urls).execute();
      // Of feeds with the same URL, the first is kept.
      const wanted = new Map<string, NewFeed>();
      for (const feed of feeds) if (!wanted.has(feed.url)) wanted.set(feed.url, feed);
      for (const { url } of known) wanted.delete(url);
      const created = new Map<string, string>();
      for (let left = wanted.size + 1; wanted.size > 0 && wanted.size < left;) {
        left = wanted.size; // retry while any are added: other processes may take an id or a URL meanwhile.
        const inserted = await transaction
          .insertInto('feeds')
          .values((await named(transaction, [...wanted.values()])).map(toRow))
          .onConflict((conflict) => conflict.doNothing())
          .returning(['url', 'id'])
          .execute();
        for (const { url, id } of inserted) {
          created.set(url, id);
          wanted.delete(url);
        }
      }
      return [...new Set(urls)].flatMap((url) => created.get(url) ?? []);
    });
  }

  /** Changes a feed. Returns its state before and after; undefined when it no longer exists. */
  change(id: string, change: (feed: Feed) => Feed): Promise<ChangedFeed | undefined> {
    return this.database.transaction().execute(async (transaction) => {
      let locked = transaction.selectFrom('feeds').select(COLUMNS).where('id', '=', id);
      // Without the lock, an administrator and a concurrent fetch could overwrite each other's changes.
      if (dialectOf(transaction) === 'postgres') locked = locked.forUpdate();
      const row = await locked.executeTakeFirst();
      if (!row) return undefined;
      const before = toFeed(row);
      const after = change(before);
      const { id: _id, created_at: _created, ...columns } = toRow(after);
      await transaction.updateTable('feeds').set(columns).where('id', '=', id).execute();
      return { before, after };
    });
  }

  async delete(id: string): Promise<void> {
    await this.database.deleteFrom('feeds').where('id', '=', id).execute();
  }
}

/** Gives each feed the first of its ids that is taken by neither a row nor an earlier feed of the list. */
async function named(transaction: Transaction<Tables>, feeds: readonly NewFeed[]): Promise<Feed[]> {
  const ids = feeds.flatMap((feed) => feed.ids);
  const rows = await transaction.selectFrom('feeds').select('id').where('id', 'in', ids).execute();
  const taken = new Set(rows.map(({ id }) => id));
  return feeds.map(({ ids: wanted, ...feed }) => {
    const id = wanted.find((one) => !taken.has(one)) ?? wanted[0] ?? feed.url;
    taken.add(id);
    return { ...feed, id };
  });
}

const toDate = (text: string | null): Date | null => (text === null ? null : new Date(text));

function toFeed(row: Selectable<Omit<FeedTable, 'search'>>): Feed {
  return {
    id: row.id,
    url: row.url,
    publishedTitle: row.published_title,
    customTitle: row.custom_title,
    description: row.description,
    siteUrl: row.site_url,
    folders: JSON.parse(row.folders) as string[],
    intervalMinutes: row.interval_minutes,
    publishedIntervalMinutes: row.published_interval_minutes,
    isPaused: row.is_paused === 1,
    isGone: row.is_gone === 1,
    etag: row.etag,
    lastModified: row.last_modified,
    documentHash: row.document_hash,
    failures: row.failures,
    lastError: row.last_error,
    lastFetchedAt: toDate(row.last_fetched_at),
    lastChangedAt: toDate(row.last_changed_at),
    nextPollAt: toDate(row.next_poll_at),
    createdAt: new Date(row.created_at),
  };
}

function toRow(feed: Feed): FeedTable {
  return {
    id: feed.id,
    url: feed.url,
    published_title: feed.publishedTitle,
    custom_title: feed.customTitle,
    description: feed.description,
    site_url: feed.siteUrl,
    folders: JSON.stringify(feed.folders),
    interval_minutes: feed.intervalMinutes,
    published_interval_minutes: feed.publishedIntervalMinutes,
    is_paused: Number(feed.isPaused),
    is_gone: Number(feed.isGone),
    etag: feed.etag,
    last_modified: feed.lastModified,
    document_hash: feed.documentHash,
    failures: feed.failures,
    last_error: feed.lastError,
    last_fetched_at: feed.lastFetchedAt?.toISOString() ?? null,
    last_changed_at: feed.lastChangedAt?.toISOString() ?? null,
    next_poll_at: feed.nextPollAt?.toISOString() ?? null,
    created_at: feed.createdAt.toISOString(),
    search: folded([feed.id, titleOf(feed), feed.url, ...feed.folders].join(' ')),
  };
}

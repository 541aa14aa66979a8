import { Injectable } from '@nestjs/common';
import { EventBus } from '../../platform/events/event-bus.service.js';
import { type Page, type PageRequest } from '../../platform/paging/page-cursor.js';
import { cursorOfItem, type ItemIdQuery, FeedItemStore, type ItemQuery } from './store/feed-item.store.js';
import { type Feed, type FeedItem, withoutScheme } from './store/feed.js';
import { type FeedIdQuery, FeedStore } from './store/feed.store.js';
import { FeedItemNotFound, FeedNotFound, InvalidItemEnd, MOST_NAMED } from './store/feeds.errors.js';
import { momentOf } from './moment.rules.js';
import { FeedPlanner } from './polling/planner.service.js';
import { FeedRefresher } from './polling/refresher.service.js';
import { writeOpml } from './subscribing/opml.rules.js';

/** Feeds among which an error looks for those that it may name. */
const MOST_CONSIDERED = 10_000;
const ITEM = /^rss:\/\/([^/?#]+)\/([^/?#]+)\/?$/;

export interface FeedChange {
  /** null = use the publisher's title. */
  title?: string | null | undefined;
  /** null = use the publisher's interval, or else the default. */
  intervalMinutes?: number | null | undefined;
  paused?: boolean | undefined;
}

/** Finds, changes and refreshes the subscribed feeds, and lists their items. */
@Injectable()
export class FeedsService {
  constructor(
    private readonly store: FeedStore,
    private readonly items: FeedItemStore,
    private readonly refresher: FeedRefresher,
    private readonly planner: FeedPlanner,
    private readonly events: EventBus,
  ) {}

  find(id: string): Promise<Feed | undefined> {
    return this.store.find(id);
  }

  /**
   * Returns the feed with this id, address or URL.
   * @param mayName returns whether the error may name a feed; by default, any
   * @throws FeedNotFound
   */
  async get(named: string, mayName: (id: string) => boolean = () => true): Promise<Feed> {
    const feed =
      (await this.store.find(withoutScheme(named))) ?? (await this.store.findByUrl(URL.parse(named)?.href ?? named));
    if (feed) return feed;
    const known = await this.store.listIds({ prefix: '', limit: MOST_CONSIDERED });
    const others: string[] = [];
    for (const id of known) if (others.length < MOST_NAMED && mayName(id)) others.push(id);
    throw new FeedNotFound(named, others);
  }

  /** Returns the first ids of feeds that start with a prefix, in order. */
  listIds(query: FeedIdQuery): Promise<string[]> {
    return this.store.listIds(query);
  }

  listPage(query: PageRequest & { q?: string | undefined }): Promise<Page<Feed>> {
    return this.store.listPage(query);
  }

  /** @throws FeedNotFound */
  async update(named: string, change: FeedChange): Promise<Feed> {
    const { id } = await this.get(named);
    const changed = await this.store.change(id, (feed) => this.decided(feed, change));
    if (!changed) return this.update(named, change); // it was deleted in the meantime
    this.events.emit('feed.updated', { feed: id, newItems: 0, changedItems: [] });
    if (changed.after.customTitle !== changed.before.customTitle) this.events.emit('feeds.changed', { added: [] });
    return changed.after;
  }

  private decided(before: Feed, { title, intervalMinutes, paused }: FeedChange): Feed {
    const feed: Feed = {
      ...before,
      ...(title !== undefined && { customTitle: title?.trim() || null }),
      ...(intervalMinutes !== undefined && { intervalMinutes }),
      ...(paused !== undefined && { isPaused: paused }),
    };
    const isReplanned = feed.intervalMinutes !== before.intervalMinutes || (before.isPaused && !feed.isPaused);
    return isReplanned ? { ...feed, nextPollAt: this.planner.afterDecision(feed, this.planner.now()) } : feed;
  }

  /** Fetches a feed now, even if it is paused or gone. A failure is recorded in the feed. @throws FeedNotFound */
  async refresh(id: string, signal: AbortSignal): Promise<Feed> {
    return this.refresher.refresh(await this.get(id), this.planner.now(), signal);
  }

  /** Returns one page of the matching items, the latest first. @throws FeedNotFound */
  async listItems(query: ItemQuery): Promise<Page<FeedItem>> {
    if (query.feed === undefined) return this.items.listPage(query);
    return this.items.listPage({ ...query, feed: (await this.get(query.feed)).id });
  }

  /**
   * Returns the bound of a list that continues after an item, or before a time.
   * @param before address of the item; or a day or a time
   * @throws InvalidItemEnd, FeedItemNotFound
   */
  async endOf(before: string): Promise<Pick<ItemQuery, 'cursor' | 'before'>> {
    const [, feed, id] = ITEM.exec(before.trim()) ?? [];
    if (feed === undefined || id === undefined) {
      const moment = momentOf(before);
      if (moment === null) throw new InvalidItemEnd(before);
      return { before: moment };
    }
    return { cursor: cursorOfItem(await this.getItem(feed, id)) };
  }

  /** @throws FeedItemNotFound */
  async getItem(feed: string, id: string): Promise<FeedItem> {
    const item = await this.items.find(feed, id);
    if (!item) throw new FeedItemNotFound(feed, id);
    return item;
  }

  findItem(feed: string, id: string): Promise<FeedItem | undefined> {
    return this.items.find(feed, id);
  }

  /** Returns the ids of items that start with a prefix, latest first; of all feeds when `feed` is not given. */
  listItemIds(query: ItemIdQuery): Promise<string[]> {
    return this.items.listIds(query);
  }

  /** Returns the number of items of each feed, keyed by feed id; feeds without items are missing. */
  async countItems(feeds: readonly Feed[]): Promise<Map<string, number>> {
    return this.items.counts(feeds.map(({ id }) => id));
  }

  async exportOpml(): Promise<string> {
    return writeOpml(await this.store.list(), this.planner.now());
  }
}

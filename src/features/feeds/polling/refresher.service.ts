import { Injectable } from '@nestjs/common';
import { EventBus } from '../../../platform/events/event-bus.service.js';
import { FeedItemStore, type SavedItem } from '../store/feed-item.store.js';
import { type Feed, stateOf, titleOf } from '../store/feed.js';
import { type ChangedFeed, FeedStore } from '../store/feed.store.js';
import type { ReadDocument, ReadItem } from '../reading/reading.rules.js';
import { FeedFetcher } from './fetcher.service.js';
import { FeedPlanner } from './planner.service.js';
import type { FetchResult } from './response.rules.js';
import type { PollOutcome } from './schedule.rules.js';

const MAX_REPORTED = 100;

export interface Intake {
  /** Ids of the new items, in the order of the document. */
  newItems: string[];
  /** Ids of stored items that the publisher has rewritten. */
  changedItems: string[];
}

/** Stores the items of fetched documents. */
@Injectable()
export class FeedIntake {
  constructor(private readonly items: FeedItemStore) {}

  async take(feed: Feed, { items }: ReadDocument, now: Date): Promise<Intake> {
    await this.items.save(items.map((item) => toFeedItem(feed, item, now)));
    const idsOf = (areNew: boolean) => items.filter(({ isNew }) => isNew === areNew).map(({ id }) => id);
    return { newItems: idsOf(true), changedItems: idsOf(false).slice(0, MAX_REPORTED) };
  }

  /** Marks the items that the document has, if it has all. */
  async mark(feed: Feed, { itemIds, isComplete }: ReadDocument): Promise<void> {
    if (isComplete) await this.items.markDocument(feed.id, itemIds);
  }
}

function toFeedItem(feed: Feed, { position, isNew: _, ...item }: ReadItem, now: Date): SavedItem {
  // Subtracting the position keeps items without a time in the order of the document.
  const firstSeenAt = new Date(now.getTime() - position);
  const sortedAt = item.publishedAt && item.publishedAt < firstSeenAt ? item.publishedAt : firstSeenAt;
  return { ...item, feedId: feed.id, firstSeenAt, sortedAt };
}

const isSame = (one: Feed, other: Feed): boolean =>
  one.url === other.url && one.createdAt.getTime() === other.createdAt.getTime();

const NOTHING: Intake = { newItems: [], changedItems: [] };

const hasNews = ({ newItems, changedItems }: Intake): boolean => newItems.length > 0 || changedItems.length > 0;

/** Fetches feeds and stores their current content. */
@Injectable()
export class FeedRefresher {
  private readonly running = new Map<string, Promise<Feed>>();

  constructor(
    private readonly fetcher: FeedFetcher,
    private readonly planner: FeedPlanner,
    private readonly intake: FeedIntake,
    private readonly store: FeedStore,
    private readonly events: EventBus,
  ) {}

  /** Fetches the feed, or joins a fetch in progress. A failure is recorded in the feed. */
  refresh(feed: Feed, now: Date, signal: AbortSignal): Promise<Feed> {
    const key = JSON.stringify([feed.id, feed.url, feed.createdAt]);
    const running = this.running.get(key);
    if (running) return running;
    const refreshing = this.fetcher
      .attempt(feed, now, signal)
      .then((result) => this.apply(feed, result, now))
      .finally(() => this.running.delete(key));
    this.running.set(key, refreshing);
    return refreshing;
  }

  async apply(feed: Feed, result: FetchResult, now: Date): Promise<Feed> {
    // A different feed may have its id by now: do not store the result there.
    const found = await this.store.find(feed.id);
    if (!found || !isSame(found, feed)) return feed;
    const intake = result.kind === 'document' ? await this.ingest(feed, result.document, now) : NOTHING;
    const changed = await this.change(feed, result, { now, hasChanged: hasNews(intake) }).catch((error: unknown) => {
      // The next fetch does not find the stored items new any more.
      this.announceItems(found, intake);
      throw error;
    });
    if (!changed) return feed;
    this.announce(changed, intake);
    return changed.after;
  }

  /** Records a result in the feed; undefined when the feed was deleted meanwhile. */
  private async change(feed: Feed, result: FetchResult, { now, hasChanged }: { now: Date; hasChanged: boolean }) {
    if (result.kind === 'document') await this.intake.mark(feed, result.document);
    const placed = await this.placed(feed, result);
    // Meanwhile an administrator may have changed the feed.
    return this.store.change(feed.id, (current) => {
      const described = { ...current, ...describedBy(placed, current) };
      const plan = this.planner.afterFetch(described, toOutcome(placed, described), now);
      return { ...described, ...plan, lastFetchedAt: now, ...(hasChanged && { lastChangedAt: now }) };
    });
  }

  private async ingest(feed: Feed, document: ReadDocument, now: Date): Promise<Intake> {
    try {
      return await this.intake.take(feed, document, now);
    } catch (error) {
      if (await this.store.find(feed.id)) throw error;
      return NOTHING; // the feed was deleted in the meantime, so its items cannot be stored
    }
  }

  /** Returns the result without the new URL of the feed if another feed already has that URL. */
  private async placed(feed: Feed, result: FetchResult): Promise<FetchResult> {
    if ((result.kind !== 'document' && result.kind !== 'unchanged') || result.url === feed.url) return result;
    const isTaken = (await this.store.findByUrl(result.url)) !== undefined;
    return isTaken ? { ...result, url: feed.url } : result;
  }

  private announce({ before, after }: ChangedFeed, intake: Intake): void {
    const isRenamed = titleOf(before) !== titleOf(after);
    const isOther = isRenamed || stateOf(before) !== stateOf(after) || before.lastError !== after.lastError;
    if (isOther && !hasNews(intake))
      this.events.emit('feed.updated', { feed: after.id, newItems: 0, changedItems: [] });
    this.announceItems(before, intake);
    if (isRenamed) this.events.emit('feeds.changed', { added: [] });
  }

  /** @param before the feed without these items */
  private announceItems(before: Feed, intake: Intake): void {
    const { newItems, changedItems } = intake;
    const feed = before.id;
    if (hasNews(intake)) this.events.emit('feed.updated', { feed, newItems: newItems.length, changedItems });
    if (newItems.length === 0) return;
    this.events.emit('feed.items.arrived', { feed, items: newItems, isBacklog: before.lastChangedAt === null });
  }
}

/** Returns the fields of the feed itself that the result changes. */
function describedBy(result: FetchResult, feed: Feed): Partial<Feed> {
  if (result.kind !== 'document' && result.kind !== 'unchanged') return {};
  const { url, etag, lastModified, documentHash } = result;
  const validators = { url, etag, lastModified, documentHash };
  if (result.kind === 'unchanged') return validators;
  const { title, description, siteUrl, intervalMinutes } = result.document;
  return {
    ...validators,
    publishedTitle: title ?? feed.publishedTitle,
    description,
    siteUrl,
    publishedIntervalMinutes: intervalMinutes,
  };
}

function toOutcome(result: FetchResult, feed: Feed): PollOutcome {
  switch (result.kind) {
    case 'document':
    case 'unchanged':
      return {
        kind: 'succeeded',
        publishedIntervalMinutes: feed.publishedIntervalMinutes,
        maxAgeMs: result.maxAgeMs,
      };
    case 'page':
      return { kind: 'failed', error: 'it is a web page, not a feed (any more)' };
    case 'gone':
    case 'deferred':
    case 'failed':
      return result;
  }
}

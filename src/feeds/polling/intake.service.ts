import { Injectable } from '@nestjs/common';
import { FeedItemStore, type SavedItem } from '../feed-item.store.js';
import type { ReadDocument, ReadItem } from '../reading/reading.rules.js';
import type { Feed } from '../feed.js';

const MAX_REPORTED = 100;

export interface Intake {
  newItems: number;
  /** Ids of stored items that the publisher has rewritten. */
  changedItems: string[];
}

/** Stores the items of fetched documents. */
@Injectable()
export class FeedIntake {
  constructor(private readonly items: FeedItemStore) {}

  async take(feed: Feed, { items, itemIds, isComplete }: ReadDocument, now: Date): Promise<Intake> {
    await this.items.save(items.map((item) => toFeedItem(feed, item, now)));
    if (isComplete) await this.items.markDocument(feed.id, itemIds);
    const changed = items.filter(({ isNew }) => !isNew).map(({ id }) => id);
    return { newItems: items.length - changed.length, changedItems: changed.slice(0, MAX_REPORTED) };
  }
}

function toFeedItem(feed: Feed, { position, isNew: _, ...item }: ReadItem, now: Date): SavedItem {
  // Subtracting the position keeps items without a time in the order of the document.
  const firstSeenAt = new Date(now.getTime() - position);
  const sortedAt = item.publishedAt && item.publishedAt < firstSeenAt ? item.publishedAt : firstSeenAt;
  return { ...item, feedId: feed.id, firstSeenAt, sortedAt };
}

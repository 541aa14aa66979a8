import { Injectable } from '@nestjs/common';
import { FeedItemStore } from './feed-item.store.js';
import type { ReadFeed, ReadItem } from './feed-reading.rules.js';
import type { Feed, FeedItem } from './feed.js';

const MAX_REPORTED = 100;

export interface Intake {
  newItems: number;
  /** Ids of those that were there before and were rewritten. */
  changedItems: string[];
}

/** Takes the items of documents in. */
@Injectable()
export class FeedIntake {
  constructor(private readonly items: FeedItemStore) {}

  async take(feed: Feed, { items, isComplete }: ReadFeed, now: Date): Promise<Intake> {
    const known = await this.items.revisions(feed.id);
    const fresh = items
      // Items without a time keep the order of the document.
      .map((item, index) => toFeedItem(feed, item, new Date(now.getTime() - index)))
      .filter(({ id, revision }) => known.get(id) !== revision);
    await this.items.save(fresh);
    if (isComplete) {
      await this.items.markDocument(
        feed.id,
        items.map(({ id }) => id),
      );
    }
    const changed = fresh.filter(({ id }) => known.has(id)).map(({ id }) => id);
    return { newItems: fresh.length - changed.length, changedItems: changed.slice(0, MAX_REPORTED) };
  }
}

function toFeedItem({ id: feedId }: Feed, item: ReadItem, seenAt: Date): FeedItem {
  const { publishedAt } = item;
  const sortedAt = publishedAt && publishedAt < seenAt ? publishedAt : seenAt;
  return { ...item, feedId, firstSeenAt: seenAt, sortedAt };
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { toLine, toMarkdown, toSummary } from './feed-content.rules.js';
import type { FeedDocument } from './feed-document.js';
import { type IdentifiedItem, identifyItems } from './feed-identity.rules.js';
import { FeedItemStore } from './feed-item.store.js';
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

  async take(feed: Feed, document: FeedDocument, now: Date): Promise<Intake> {
    const found = identifyItems(document);
    const known = await this.items.revisions(feed.id);
    const fresh: FeedItem[] = [];
    for (const [index, item] of found.entries()) {
      if (known.get(item.id) === item.revision) continue;
      // Items without a time keep the order of the document.
      const seenAt = new Date(now.getTime() - index);
      fresh.push(toFeedItem(feed, item, seenAt));
      // Converting takes its time: other requests come in between.
      await nextTurn();
    }
    await this.items.save(fresh);
    if (document.isComplete)
      await this.items.markDocument(
        feed.id,
        found.map(({ id }) => id),
      );
    const changed = fresh.filter(({ id }) => known.has(id)).map(({ id }) => id);
    return { newItems: fresh.length - changed.length, changedItems: changed.slice(0, MAX_REPORTED) };
  }
}

function toFeedItem(feed: Feed, item: IdentifiedItem, seenAt: Date): FeedItem {
  const summary = toSummary(item);
  return {
    feedId: feed.id,
    id: item.id,
    revision: item.revision,
    url: item.url,
    title: toLine(item.title) ?? (summary.slice(0, 80).toWellFormed() || item.url || 'Untitled'),
    author: toLine(item.author),
    publishedAt: item.publishedAt,
    firstSeenAt: seenAt,
    sortedAt: item.publishedAt && item.publishedAt < seenAt ? item.publishedAt : seenAt,
    content: toMarkdown(item, feed.siteUrl ?? feed.url),
    summary,
    categories: item.categories.flatMap((category) => toLine(category) ?? []),
  };
}

import { Injectable } from '@nestjs/common';
import { EventBus } from '../../../platform/events/event-bus.service.js';
import { MAX_URL_CHARACTERS, toFeedUrl } from '../store/feed-url.rules.js';
import { type Feed, UNFETCHED } from '../store/feed.js';
import { FeedStore } from '../store/feed.store.js';
import { FeedNotReadable } from '../store/feeds.errors.js';
import { type FetchedDocument, FeedFetcher } from '../polling/fetcher.service.js';
import { FeedPlanner } from '../polling/planner.service.js';
import { FeedRefresher } from '../polling/refresher.service.js';
import type { FetchResult } from '../polling/response.rules.js';
import { feedIds } from '../reading/identity.rules.js';

const MAX_CANDIDATES = 3;

export interface Subscription {
  feed: Feed;
  /** False when the feed was already subscribed to. */
  isNew: boolean;
}

type Document = Extract<FetchResult, { kind: 'document' }>;

@Injectable()
export class FeedSubscriptions {
  constructor(
    private readonly store: FeedStore,
    private readonly fetcher: FeedFetcher,
    private readonly planner: FeedPlanner,
    private readonly refresher: FeedRefresher,
    private readonly events: EventBus,
  ) {}

  /**
   * Subscribes to the feed at an address, or to the one that the web page there announces, and fetches it.
   * @throws FeedNotReadable, DocumentNotRead, and the errors of OutgoingHttp
   */
  async subscribe(address: string, signal: AbortSignal): Promise<Subscription> {
    const url = toFeedUrl(address);
    const now = this.planner.now();
    const found = await this.findDocument(url, now, signal);
    if ('feed' in found) return found;
    const { document } = found;
    const first = {
      publishedTitle: document.title,
      siteUrl: document.siteUrl,
      nextPollAt: this.planner.leaseUntil(now),
    };
    const subscription = await this.create({ ...first, url: found.url }, now);
    if (!subscription.isNew) return subscription;
    const { id } = subscription.feed;
    const applied = this.refresher.apply(subscription.feed, found, now);
    // Also when its items could not be stored: the feed is there, and will be fetched again.
    const feed = await applied.finally(() => this.events.emit('feeds.changed', { added: [id] }));
    return { feed, isNew: true };
  }

  async unsubscribe(feed: Feed): Promise<void> {
    await this.store.delete(feed.id);
    this.events.emit('feeds.changed', { added: [] });
    this.events.emit('feed.updated', { feed: feed.id, newItems: 0, changedItems: [] });
  }

  /** Returns the document at the URL, or one that the page there announces; or the subscription, if one exists. */
  private async findDocument(url: string, now: Date, signal: AbortSignal): Promise<Subscription | Document> {
    const existing = await this.store.findByUrl(url);
    if (existing) return { feed: existing, isNew: false };
    const result = await this.fetcher.fetch(unread(url), now, signal);
    if (result.kind === 'document') return result;
    if (result.kind !== 'page') throw new FeedNotReadable(url, reasonOf(result));
    const problems: string[] = [];
    const candidates = result.feedUrls.filter(({ length }) => length <= MAX_URL_CHARACTERS);
    for (const candidate of candidates.slice(0, MAX_CANDIDATES)) {
      const announced = await this.store.findByUrl(candidate);
      if (announced) return { feed: announced, isNew: false };
      const response = await this.fetcher.attempt(unread(candidate), now, signal);
      if (response.kind === 'document') return response;
      if ('error' in response) problems.push(response.error);
    }
    const because = problems.length > 0 ? ` (${problems.join('; ')})` : '';
    throw new FeedNotReadable(url, `it is a web page that announces no readable feed${because}`);
  }

  /** Creates a feed under the first free id, or returns the one that already has the URL. */
  private async create(first: Partial<Feed> & Pick<Feed, 'url' | 'publishedTitle'>, now: Date): Promise<Subscription> {
    for (const id of feedIds(first.publishedTitle, first.url)) {
      const existing = await this.store.findByUrl(first.url);
      if (existing) return { feed: existing, isNew: false };
      const feed = { ...UNFETCHED, ...first, id, createdAt: now };
      if (await this.store.create(feed)) return { feed, isNew: true };
    }
    throw new Error(`all ids for the feed ${first.url} are taken`);
  }
}

const unread = (url: string): FetchedDocument => ({
  id: null,
  url,
  etag: null,
  lastModified: null,
  documentHash: null,
});

function reasonOf(result: Exclude<FetchResult, { kind: 'page' } | Document>): string {
  return 'error' in result ? result.error : 'the server says that it did not change';
}

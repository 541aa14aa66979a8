import { Injectable } from '@nestjs/common';
import type { Feed } from '../../../features/feeds/store/feed.js';
import { type FeedChange, FeedsService } from '../../../features/feeds/feeds.service.js';
import { FeedSubscriptions } from '../../../features/feeds/subscribing/subscriptions.service.js';
import { mapPage, type Page } from '../../../platform/paging/page-cursor.js';
import {
  type FeedItemView,
  type FeedsQuery,
  type FeedView,
  type SubscriptionView,
  toFeedItemView,
  toFeedView,
} from './feeds.schema.js';

/** Serves feeds to administrators, each with the number of its items. */
@Injectable()
export class AdminFeeds {
  constructor(
    private readonly feeds: FeedsService,
    private readonly subscriptions: FeedSubscriptions,
  ) {}

  async listPage(query: FeedsQuery): Promise<Page<FeedView>> {
    const page = await this.feeds.listPage(query);
    const counts = await this.feeds.countItems(page.items);
    return mapPage(page, (feed) => toFeedView(feed, counts.get(feed.id) ?? 0));
  }

  async get(id: string): Promise<FeedView> {
    return this.withCount(await this.feeds.get(id));
  }

  async subscribe(url: string, signal: AbortSignal): Promise<SubscriptionView> {
    const { feed, isNew } = await this.subscriptions.subscribe(url, signal);
    return { ...(await this.withCount(feed)), isNew };
  }

  async update(id: string, change: FeedChange): Promise<FeedView> {
    return this.withCount(await this.feeds.update(id, change));
  }

  async unsubscribe(id: string): Promise<void> {
    await this.subscriptions.unsubscribe(await this.feeds.get(id));
  }

  async refresh(id: string, signal: AbortSignal): Promise<FeedView> {
    return this.withCount(await this.feeds.refresh(id, signal));
  }

  async listItems(id: string, { q, ...page }: FeedsQuery): Promise<Page<FeedItemView>> {
    return mapPage(await this.feeds.listItems({ feed: id, query: q, ...page }), toFeedItemView);
  }

  private async withCount(feed: Feed): Promise<FeedView> {
    const counts = await this.feeds.countItems([feed]);
    return toFeedView(feed, counts.get(feed.id) ?? 0);
  }
}

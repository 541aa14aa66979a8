import { Injectable } from '@nestjs/common';
import { titleOf } from '../../../features/feeds/store/feed.js';
import { FeedsService } from '../../../features/feeds/feeds.service.js';
import type { Page } from '../../../platform/paging/page-cursor.js';
import type { ItemsQuery, ListedItemView, ReadItemView } from './feed-items.schema.js';
import { toFeedItemView } from './feeds.schema.js';

/** Serves the items of all feeds to administrators, as `feed_items` does to assistants. */
@Injectable()
export class AdminFeedItems {
  constructor(private readonly feeds: FeedsService) {}

  async listPage({ q, ...page }: ItemsQuery): Promise<Page<ListedItemView>> {
    const { items, nextCursor } = await this.feeds.listItems({ query: q, ...page });
    const titles = await this.titlesOf(new Set(items.map(({ feedId }) => feedId)));
    const listed = items.map((item) => {
      const { content: _content, ...shown } = toFeedItemView(item);
      return { ...shown, feed: { id: item.feedId, title: titles.get(item.feedId) ?? item.feedId } };
    });
    return { items: listed, nextCursor };
  }

  async get(feed: string, id: string): Promise<ReadItemView> {
    const item = await this.feeds.getItem(feed, id);
    const titles = await this.titlesOf(new Set([feed]));
    return { ...toFeedItemView(item), feed: { id: feed, title: titles.get(feed) ?? feed } };
  }

  private async titlesOf(ids: ReadonlySet<string>): Promise<Map<string, string>> {
    const feeds = await Promise.all([...ids].map((id) => this.feeds.find(id)));
    return new Map(feeds.flatMap((feed) => (feed ? [[feed.id, titleOf(feed)]] : [])));
  }
}

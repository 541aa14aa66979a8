import { Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { titleOf } from '../../../features/feeds/store/feed.js';
import { FeedsService } from '../../../features/feeds/feeds.service.js';
import type { Page } from '../../../platform/paging/page-cursor.js';
import { AdminController, Operation } from '../api/admin-controller.decorator.js';
import { PageOf } from '../api/page.schema.js';
import { ItemsQuery, ListedItemView, ReadItemView, toFeedItemView } from './feeds.schema.js';

@AdminController('feed-items')
export class FeedItemsController {
  constructor(private readonly feeds: FeedsService) {}

  @Get()
  @Operation(
    'searchFeedItems',
    'Lists or searches the items of one feed or of all, the latest first',
    'With `q`, those in whose title, author, categories or content all words occur.',
  )
  @ApiOkResponse({ type: PageOf(ListedItemView) })
  async list(@Query() { q, ...page }: ItemsQuery): Promise<Page<ListedItemView>> {
    const { items, nextCursor } = await this.feeds.listItems({ query: q, ...page });
    const titles = await this.titlesOf(new Set(items.map(({ feedId }) => feedId)));
    const listed = items.map((item) => {
      const { content: _content, ...shown } = toFeedItemView(item);
      return { ...shown, feed: { id: item.feedId, title: titles.get(item.feedId) ?? item.feedId } };
    });
    return { items: listed, nextCursor };
  }

  @Get(':feed/:id')
  @Operation('getFeedItem', 'Returns one item with its content')
  @ApiOkResponse({ type: ReadItemView })
  async get(@Param('feed') feed: string, @Param('id') id: string): Promise<ReadItemView> {
    const item = await this.feeds.getItem(feed, id);
    const titles = await this.titlesOf(new Set([feed]));
    return { ...toFeedItemView(item), feed: { id: feed, title: titles.get(feed) ?? feed } };
  }

  private async titlesOf(ids: ReadonlySet<string>): Promise<Map<string, string>> {
    const feeds = await Promise.all([...ids].map((id) => this.feeds.find(id)));
    return new Map(feeds.flatMap((feed) => (feed ? [[feed.id, titleOf(feed)]] : [])));
  }
}

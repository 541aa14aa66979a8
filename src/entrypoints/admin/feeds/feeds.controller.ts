import { Body, Delete, Get, Header, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiProduces } from '@nestjs/swagger';
import { FeedsService } from '../../../features/feeds/feeds.service.js';
import { FeedSubscriptions } from '../../../features/feeds/subscribing/subscriptions.service.js';
import { type Feed, titleOf } from '../../../features/feeds/store/feed.js';
import { FeedImport } from '../../../features/feeds/subscribing/feed-import.service.js';
import { mapPage, type Page } from '../../../platform/paging/page-cursor.js';
import { AdminController, Creates, NoContent, Operation, Returns } from '../api/admin-controller.decorator.js';
import { Audited, AuditsState } from '../api/audited.decorator.js';
import { NeedsRole } from '../../../access/accounts/admin-role.decorator.js';
import { DOCUMENTS_MAX_BYTES, MaxBody } from '../api/body/input.interceptor.js';
import { PageOf } from '../api/page.schema.js';
import {
  FeedBody,
  FeedItemView,
  FeedsQuery,
  FeedView,
  OpmlBody,
  OpmlImportView,
  SubscribeBody,
  SubscriptionView,
  toFeedItemView,
  toFeedView,
  ItemsQuery,
  ListedItemView,
  ReadItemView,
} from './feeds.schema.js';

// Never aborted: fetching has its own time limit.
const untilDone = (): AbortSignal => new AbortController().signal;

@AdminController('feeds')
export class FeedsController {
  constructor(
    private readonly feeds: FeedsService,
    private readonly subscriptions: FeedSubscriptions,
    private readonly importer: FeedImport,
  ) {}

  @Get()
  @Operation('listFeeds', 'Lists the feeds by id')
  @Returns(PageOf(FeedView))
  async list(@Query() query: FeedsQuery): Promise<Page<FeedView>> {
    const page = await this.feeds.listPage(query);
    const counts = await this.feeds.countItems(page.items);
    return mapPage(page, (feed) => toFeedView(feed, counts.get(feed.id) ?? 0));
  }

  @NeedsRole('editor')
  @Post()
  @Audited({ recordsResult: true })
  @Operation(
    'subscribeToFeed',
    'Subscribes to a feed and fetches it',
    'The URL is that of a feed, or of a web page that announces one. If there is a subscription already, it is returned as it is.',
  )
  @Creates(SubscriptionView)
  async subscribe(@Body() body: SubscribeBody): Promise<SubscriptionView> {
    const { feed, isNew } = await this.subscriptions.subscribe(body.url, untilDone());
    return { ...(await this.withCount(feed)), isNew };
  }

  @Get('opml')
  @Operation('exportFeeds', 'Exports all feeds as an OPML document')
  @Header('Content-Type', 'text/x-opml; charset=utf-8')
  @Header('Content-Disposition', 'attachment; filename="feeds.opml"')
  @ApiProduces('text/x-opml')
  @Returns(String, 'All feeds, as an OPML document.')
  exportOpml(): Promise<string> {
    return this.feeds.exportOpml();
  }

  @NeedsRole('editor')
  @Post('opml')
  @Audited({ recordsResult: true })
  @Operation(
    'importFeeds',
    'Subscribes to every feed of an OPML document',
    'The feeds are fetched in the background, within minutes.',
  )
  @MaxBody(DOCUMENTS_MAX_BYTES)
  @Returns(OpmlImportView)
  importOpml(@Body() body: OpmlBody): Promise<OpmlImportView> {
    return this.importer.importOpml(body.opml);
  }

  @Get(':id')
  @Operation('getFeed', 'Returns one feed')
  @Returns(FeedView)
  async get(@Param('id') id: string): Promise<FeedView> {
    return this.withCount(await this.feeds.get(id));
  }

  @NeedsRole('editor')
  @Patch(':id')
  @AuditsState('id')
  @Operation('updateFeed', 'Changes the title or the interval of a feed, or pauses it')
  @Returns(FeedView)
  async update(@Param('id') id: string, @Body() body: FeedBody): Promise<FeedView> {
    return this.withCount(await this.feeds.update(id, body));
  }

  @NeedsRole('editor')
  @Delete(':id')
  @AuditsState('id')
  @Operation('unsubscribeFromFeed', 'Ends a subscription and deletes its items')
  @NoContent('The subscription has ended, and its items are deleted.')
  async unsubscribe(@Param('id') id: string): Promise<void> {
    await this.subscriptions.unsubscribe(await this.feeds.get(id));
  }

  @NeedsRole('editor')
  @Post(':id/refresh')
  @AuditsState('id')
  @Operation(
    'refreshFeed',
    'Fetches a feed now',
    'The state and the last error of the returned feed say whether that went well.',
  )
  @Returns(FeedView)
  async refresh(@Param('id') id: string): Promise<FeedView> {
    return this.withCount(await this.feeds.refresh(id, untilDone()));
  }

  @Get(':id/items')
  @Operation('listFeedItems', 'Lists the items of a feed, newest first')
  @Returns(PageOf(FeedItemView))
  async items(@Param('id') id: string, @Query() { q, ...page }: FeedsQuery): Promise<Page<FeedItemView>> {
    return mapPage(await this.feeds.listItems({ feed: id, query: q, ...page }), toFeedItemView);
  }

  private async withCount(feed: Feed): Promise<FeedView> {
    const counts = await this.feeds.countItems([feed]);
    return toFeedView(feed, counts.get(feed.id) ?? 0);
  }
}

@AdminController('feed-items')
export class FeedItemsController {
  constructor(private readonly feeds: FeedsService) {}

  @Get()
  @Operation(
    'searchFeedItems',
    'Lists or searches the items of one or all feeds, newest first',
    'With `q`, those in whose title, author, categories or content all words occur.',
  )
  @Returns(PageOf(ListedItemView))
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
  @Returns(ReadItemView)
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

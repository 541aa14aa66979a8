import { Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import type { Page } from '../../../platform/paging/page-cursor.js';
import { AdminController, Operation } from '../api/admin-controller.decorator.js';
import { PageOf } from '../api/page.schema.js';
import { AdminFeedItems } from './admin-feed-items.service.js';
import { ItemsQuery, ListedItemView, ReadItemView } from './feed-items.schema.js';

@AdminController('feed-items')
export class FeedItemsController {
  constructor(private readonly items: AdminFeedItems) {}

  @Get()
  @Operation(
    'searchFeedItems',
    'Lists or searches the items of one feed or of all, the latest first',
    'With `q`, those in whose title, author, categories or content all words occur.',
  )
  @ApiOkResponse({ type: PageOf(ListedItemView) })
  list(@Query() query: ItemsQuery): Promise<Page<ListedItemView>> {
    return this.items.listPage(query);
  }

  @Get(':feed/:id')
  @Operation('getFeedItem', 'Returns one item with its content')
  @ApiOkResponse({ type: ReadItemView })
  get(@Param('feed') feed: string, @Param('id') id: string): Promise<ReadItemView> {
    return this.items.get(feed, id);
  }
}

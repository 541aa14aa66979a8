import { OmitType } from '@nestjs/swagger';
import { Part, Text } from '../api/fields.decorators.js';
import { FeedItemView, FeedsQuery } from './feeds.schema.js';

const MAX_FEED = 2000;

export class ItemsQuery extends FeedsQuery {
  @Text({ max: MAX_FEED, optional: true, says: 'Id or URL of a feed; without it, items of all feeds.' }) feed?: string;
}

class FeedName {
  @Text() id!: string;
  @Text() title!: string;
}

/** An item without its content, and the feed that it is from. */
export class ListedItemView extends OmitType(FeedItemView, ['content']) {
  @Part(FeedName) feed!: FeedName;
}

export class ReadItemView extends FeedItemView {
  @Part(FeedName) feed!: FeedName;
}

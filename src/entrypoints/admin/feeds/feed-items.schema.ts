import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { IsOptional, IsString, MaxLength } from 'class-validator';
import { FeedItemView, FeedsQuery } from './feeds.schema.js';

const MAX_FEED = 2000;

export class ItemsQuery extends FeedsQuery {
  @ApiPropertyOptional({ maxLength: MAX_FEED, description: 'Id or URL of a feed; without it, items of all feeds.' })
  @IsOptional()
  @IsString()
  @MaxLength(MAX_FEED)
  feed?: string;
}

class FeedName {
  @ApiProperty()
  id!: string;

  @ApiProperty()
  title!: string;
}

/** An item without its content, and the feed that it is from. */
export class ListedItemView extends OmitType(FeedItemView, ['content']) {
  @ApiProperty({ type: FeedName })
  feed!: FeedName;
}

export class ReadItemView extends FeedItemView {
  @ApiProperty({ type: FeedName })
  feed!: FeedName;
}

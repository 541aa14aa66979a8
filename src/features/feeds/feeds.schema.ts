import {
  IsArray,
  IsBoolean,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
} from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { Nested } from '#skill-kit';
import { MOMENT } from './moment.rules.js';

export const DEFAULT_ITEMS = 20;

export class FeedSummary {
  @JSONSchema({ description: 'The id by which the other feed tools take it.' })
  @IsString()
  id!: string;

  @IsString() title!: string;
  @IsString() url!: string;
  @JSONSchema({ description: 'Address of the feed: resource_read reads it.' })
  @IsString()
  uri!: string;
}

export class SubscribeInput {
  @JSONSchema({
    description:
      'Address of the feed, or of a web page that announces one, such as "https://example.com/blog/feed.xml", at most 2000 characters.',
  })
  @IsString()
  @MinLength(1)
  @MaxLength(2000)
  url!: string;
}

export class SubscribeResult {
  @JSONSchema({ description: 'False when the feed was already subscribed to.' })
  @IsBoolean()
  isNew!: boolean;

  @Nested(() => FeedSummary) feed!: FeedSummary;
  @JSONSchema({ description: 'Titles of the latest items, the latest first.' })
  @IsArray()
  @IsString({ each: true })
  latest!: string[];

  @JSONSchema({ description: 'What was done, and what to do next.' })
  @IsString()
  hint!: string;
}

export class UnsubscribeInput {
  @JSONSchema({ description: 'Id or address of the feed, such as "daily-news" or "https://example.com/feed.xml".' })
  @IsString()
  @MinLength(1)
  @MaxLength(2000)
  feed!: string;
}

export class UnsubscribeResult {
  @Nested(() => FeedSummary) removed!: FeedSummary;
  @JSONSchema({ description: 'What was done.' })
  @IsString()
  hint!: string;
}

export class ItemsInput {
  @JSONSchema({
    description:
      'Id or address of a feed, such as "daily-news" or "https://example.com/feed.xml". By default, all feeds.',
  })
  @IsOptional()
  @IsString()
  @MinLength(1)
  @MaxLength(2000)
  feed?: string;

  @JSONSchema({
    description:
      'Only items published then or later: a day or a time, such as "2026-11-21" or "2026-11-21T10:15:00Z" (UTC unless it says otherwise). By default, of any age.',
  })
  @IsOptional()
  @MaxLength(40)
  @Matches(MOMENT)
  since?: string;

  @JSONSchema({
    description:
      'Only items older than this one, by its uri, such as "rss://daily-news/3f2a", to continue after it; or published before a day or a time, such as "2026-11-21". By default, from the newest.',
  })
  @IsOptional()
  @IsString()
  @MinLength(1)
  @MaxLength(300)
  before?: string;

  @JSONSchema({
    description:
      'Only items in whose title, author, categories or content all these words occur, such as "security release". By default, all items.',
  })
  @IsOptional()
  @IsString()
  @MaxLength(200)
  query?: string;

  @JSONSchema({ description: 'How many items to return, 1 to 100, for example 50.', default: DEFAULT_ITEMS })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(100)
  limit?: number;
}

export class ItemSummary {
  @IsString() feed!: string;
  @IsString() title!: string;
  @JSONSchema({ description: 'Address of the item: resource_read reads its whole content as Markdown.' })
  @IsString()
  uri!: string;

  @IsOptional() @IsString() url?: string;
  @IsOptional() @IsString() author?: string;
  @JSONSchema({ description: 'RFC 3339, UTC.' })
  @IsOptional()
  @IsString()
  publishedAt?: string;

  @IsString() summary!: string;
}

export class ItemsResult {
  @Nested(() => ItemSummary, { each: true }) items!: ItemSummary[];
  @JSONSchema({ description: 'Whether there are more, older items.' })
  @IsBoolean()
  hasMore!: boolean;

  @JSONSchema({ description: 'How many there are, and what to do next.' })
  @IsString()
  hint!: string;
}

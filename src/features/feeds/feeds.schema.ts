import { IsOptional, IsString } from 'class-validator';
import { Nested } from '#skill-kit';
import { Flag, Integer, Text, Texts } from '../../core/skills/skill-fields.decorators.js';
import { MOMENT } from './moment.rules.js';

export const DEFAULT_ITEMS = 20;

export class FeedSummary {
  @Text('The id by which the other feed tools take it.') id!: string;
  @IsString() title!: string;
  @IsString() url!: string;
  @Text('Address of the feed: resource_read reads it.') uri!: string;
}

export class SubscribeInput {
  @Text(
    'Address of the feed, or of a web page that announces one, such as "https://example.com/blog/feed.xml", at most 2000 characters.',
    { min: 1, max: 2000 },
  )
  url!: string;
}

export class SubscribeResult {
  @Flag('False when the feed was already subscribed to.') isNew!: boolean;
  @Nested(() => FeedSummary) feed!: FeedSummary;
  @Texts('Titles of the latest items, the latest first.')
  latest!: string[];

  @Text('What was done, and what to do next.') hint!: string;
}

export class UnsubscribeInput {
  @Text('Id or address of the feed, such as "daily-news" or "https://example.com/feed.xml".', {
    min: 1,
    max: 2000,
  })
  feed!: string;
}

export class UnsubscribeResult {
  @Nested(() => FeedSummary) removed!: FeedSummary;
  @Text('What was done.') hint!: string;
}

export class ItemsInput {
  @Text(
    'Id or address of a feed, such as "daily-news", "rss://daily-news" or "https://example.com/feed.xml". By default, all feeds.',
    {
      min: 1,
      max: 2000,
      optional: true,
    },
  )
  feed?: string;

  @Text(
    'Only items published then or later: a day or a time, such as "2026-11-21" or "2026-11-21T10:15:00Z" (UTC unless it says otherwise). By default, of any age.',
    { pattern: MOMENT, max: 40, optional: true },
  )
  since?: string;

  @Text(
    'Only items older than this one, by its uri, such as "rss://daily-news/3f2a", to continue after it; or published before a day or a time, such as "2026-11-21". By default, from the newest.',
    { min: 1, max: 300, optional: true },
  )
  before?: string;

  @Text(
    'Only items in whose title, author, categories or content all these words occur, such as "security release". By default, all items.',
    { max: 200, optional: true },
  )
  query?: string;

  @Integer('How many items to return, 1 to 100, for example 50.', {
    min: 1,
    max: 100,
    optional: true,
    default: DEFAULT_ITEMS,
  })
  limit?: number;
}

export class ItemSummary {
  @IsString() feed!: string;
  @IsString() title!: string;
  @Text('Address of the item: resource_read reads its whole content as Markdown.') uri!: string;
  @IsOptional() @IsString() url?: string;
  @IsOptional() @IsString() author?: string;
  @Text('RFC 3339, UTC.', { optional: true }) publishedAt?: string;
  @IsString() summary!: string;
}

export class ItemsResult {
  @Nested(() => ItemSummary, { each: true }) items!: ItemSummary[];
  @Flag('Whether there are more, older items.') hasMore!: boolean;
  @Text('How many there are, and what to do next.') hint!: string;
}

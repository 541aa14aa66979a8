import { ApiProperty, ApiPropertyOptional, IntersectionType } from '@nestjs/swagger';
import { IsBoolean, IsInt, IsOptional, IsString, Max, MaxLength, Min, MinLength } from 'class-validator';
import {
  type Feed,
  type FeedItem,
  type FeedState,
  feedUri,
  itemUri,
  stateOf,
  titleOf,
} from '../../../features/feeds/store/feed.js';
import type { FeedChange } from '../../../features/feeds/feeds.service.js';
import type { OpmlImport } from '../../../features/feeds/subscribing/feed-import.service.js';
import { MayBeLeftOut } from '../api/body/may-be-left-out.decorator.js';
import { PageQuery } from '../api/page.schema.js';

/** Length of an OPML document, in characters; one with 5,000 feeds has about a million. */
const MAX_OPML = 5_000_000;

class Searched {
  @ApiPropertyOptional({ maxLength: 200, description: 'Text to search for.' })
  @IsOptional()
  @IsString()
  @MaxLength(200)
  q?: string;
}

export class FeedsQuery extends IntersectionType(PageQuery, Searched) {}

export class SubscribeBody {
  @ApiProperty({ maxLength: 2000, description: 'URL of a feed, or of a web page that announces one.' })
  @IsString()
  @MinLength(1)
  @MaxLength(2000)
  url!: string;
}

export class FeedBody implements FeedChange {
  @ApiPropertyOptional({
    type: String,
    nullable: true,
    maxLength: 300,
    description: 'A title of your own; null: the one that the publisher gave it.',
  })
  @IsOptional()
  @IsString()
  @MaxLength(300)
  title?: string | null;

  @ApiPropertyOptional({
    type: Number,
    nullable: true,
    minimum: 5,
    maximum: 10_080,
    description: 'null: what the publisher asks for, or else the setting rss.poll_interval_minutes.',
  })
  @IsOptional()
  @IsInt()
  @Min(5)
  @Max(10_080)
  intervalMinutes?: number | null;

  @ApiPropertyOptional({ description: 'A paused feed keeps its items and is not fetched.' })
  @MayBeLeftOut()
  @IsBoolean()
  paused?: boolean;
}

export class FeedView {
  @ApiProperty()
  id!: string;

  @ApiProperty({ example: 'rss://nest-blog', description: 'URI of its resource.' })
  uri!: string;

  @ApiProperty()
  url!: string;

  @ApiProperty()
  title!: string;

  @ApiProperty({ type: String, nullable: true, description: 'The title that the publisher gave it.' })
  publishedTitle!: string | null;

  @ApiProperty({ type: String, nullable: true })
  description!: string | null;

  @ApiProperty({ type: String, nullable: true })
  siteUrl!: string | null;

  @ApiProperty({ type: [String], description: 'Folders of the OPML document, from the outermost to the innermost.' })
  folders!: string[];

  @ApiProperty({ enum: ['active', 'failing', 'paused', 'gone'] })
  state!: FeedState;

  @ApiProperty({ type: Number, nullable: true, description: 'The interval that an administrator set.' })
  intervalMinutes!: number | null;

  @ApiProperty({ type: Number, nullable: true, description: 'The interval that the publisher asks for.' })
  publishedIntervalMinutes!: number | null;

  @ApiProperty()
  items!: number;

  @ApiProperty({ description: 'Number of failed fetches in a row.' })
  failures!: number;

  @ApiProperty({ type: String, nullable: true, description: 'Why the last fetch failed; null when it succeeded.' })
  lastError!: string | null;

  @ApiProperty({ type: Date, nullable: true })
  lastFetchedAt!: Date | null;

  @ApiProperty({ type: Date, nullable: true, description: 'When a fetch last brought new items.' })
  lastChangedAt!: Date | null;

  @ApiProperty({ type: Date, nullable: true, description: 'Null when the feed is no longer fetched.' })
  nextPollAt!: Date | null;

  @ApiProperty()
  createdAt!: Date;
}

export class SubscriptionView extends FeedView {
  @ApiProperty({ description: 'False when the subscription existed already.' })
  isNew!: boolean;
}

export class FeedItemView {
  @ApiProperty()
  id!: string;

  @ApiProperty({ description: 'URI of its resource.' })
  uri!: string;

  @ApiProperty({ type: String, nullable: true })
  url!: string | null;

  @ApiProperty()
  title!: string;

  @ApiProperty({ type: String, nullable: true })
  author!: string | null;

  @ApiProperty({ type: Date, nullable: true })
  publishedAt!: Date | null;

  @ApiProperty()
  firstSeenAt!: Date;

  @ApiProperty()
  summary!: string;

  @ApiProperty({ description: 'Markdown.' })
  content!: string;

  @ApiProperty({ type: [String] })
  categories!: string[];
}

export class OpmlBody {
  @ApiProperty({ maxLength: MAX_OPML, description: 'An OPML document.' })
  @IsString()
  @MinLength(1)
  @MaxLength(MAX_OPML)
  opml!: string;
}

class RefusedFeed {
  @ApiProperty()
  url!: string;

  @ApiProperty()
  reason!: string;
}

export class OpmlImportView implements OpmlImport {
  @ApiProperty({ type: [String], description: 'Ids of the new feeds.' })
  added!: string[];

  @ApiProperty({ description: 'Number of feeds to which there was a subscription already.' })
  existing!: number;

  @ApiProperty({ type: [RefusedFeed] })
  refused!: RefusedFeed[];
}

export function toFeedView(feed: Feed, items: number): FeedView {
  const { customTitle: _title, isPaused: _paused, isGone: _gone, etag: _etag, ...others } = feed;
  const { lastModified: _modified, documentHash: _hash, nextPollAt, ...shown } = others;
  const state = stateOf(feed);
  return {
    ...shown,
    uri: feedUri(feed.id),
    title: titleOf(feed),
    state,
    items,
    nextPollAt: state === 'paused' ? null : nextPollAt,
  };
}

export function toFeedItemView({ feedId, revision: _revision, sortedAt: _sorted, ...shown }: FeedItem): FeedItemView {
  return { ...shown, uri: itemUri(feedId, shown.id) };
}

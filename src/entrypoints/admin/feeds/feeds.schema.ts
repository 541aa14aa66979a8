import { IntersectionType, OmitType } from '@nestjs/swagger';
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
import { Amount, Flag, Integer, OneOf, Part, Parts, Text, Texts, Time } from '../api/fields.decorators.js';
import { PageQuery } from '../api/page.schema.js';

/** Length of an OPML document, in characters; one with 5,000 feeds has about a million. */
const MAX_OPML = 5_000_000;

class Searched {
  @Text({ max: 200, optional: true, says: 'Text to search for.' }) q?: string;
}

export class FeedsQuery extends IntersectionType(PageQuery, Searched) {}

export class SubscribeBody {
  @Text({ min: 1, max: 2000, says: 'URL of a feed, or of a web page that announces one.' }) url!: string;
}

export class FeedBody implements FeedChange {
  @Text({
    max: 300,
    optional: true,
    nullable: true,
    says: 'Your title for the feed; null = the title of the publisher.',
  })
  title?: string | null;

  @Integer({
    min: 5,
    max: 10_080,
    optional: true,
    nullable: true,
    says: 'Interval between fetches; null = the interval of the publisher, or else the setting rss.poll_interval_minutes.',
  })
  intervalMinutes?: number | null;

  @Flag({ optional: true, says: 'Whether the feed is paused: it keeps its items and is not fetched.' })
  paused?: boolean;
}

export class FeedView {
  @Text() id!: string;
  @Text({ example: 'rss://nest-blog', says: 'URI of the resource of the feed.' }) uri!: string;
  @Text() url!: string;
  @Text() title!: string;
  @Text({ nullable: true, says: 'Title from the publisher.' }) publishedTitle!: string | null;
  @Text({ nullable: true }) description!: string | null;
  @Text({ nullable: true }) siteUrl!: string | null;
  @Texts({ says: 'Folders of the OPML document, from the outermost to the innermost.' }) folders!: string[];
  @OneOf(['active', 'failing', 'paused', 'gone']) state!: FeedState;
  @Amount({ nullable: true, says: 'Interval set by an administrator.' }) intervalMinutes!: number | null;

  @Amount({ nullable: true, says: 'Interval requested by the publisher.' })
  publishedIntervalMinutes!: number | null;

  @Amount() items!: number;
  @Amount({ says: 'Number of failed fetches in a row.' }) failures!: number;
  @Text({ nullable: true, says: 'Why the last fetch failed; null when it succeeded.' }) lastError!: string | null;
  @Time({ nullable: true }) lastFetchedAt!: Date | null;
  @Time({ nullable: true, says: 'When a fetch last brought new items.' }) lastChangedAt!: Date | null;
  @Time({ nullable: true, says: 'Time of the next fetch; null when the feed is no longer fetched.' })
  nextPollAt!: Date | null;
  @Time() createdAt!: Date;
}

export class SubscriptionView extends FeedView {
  @Flag({ says: 'Whether the subscription is new.' }) isNew!: boolean;
}

export class FeedItemView {
  @Text() id!: string;
  @Text({ says: 'URI of the resource of the item.' }) uri!: string;
  @Text({ nullable: true }) url!: string | null;
  @Text() title!: string;
  @Text({ nullable: true }) author!: string | null;
  @Time({ nullable: true }) publishedAt!: Date | null;
  @Time() firstSeenAt!: Date;
  @Text() summary!: string;
  @Text({ says: 'Content of the item, as Markdown.' }) content!: string;
  @Texts() categories!: string[];
}

export class OpmlBody {
  @Text({ min: 1, max: MAX_OPML, says: 'An OPML document.' }) opml!: string;
}

class RefusedFeed {
  @Text() url!: string;
  @Text() reason!: string;
}

export class OpmlImportView implements OpmlImport {
  @Texts({ says: 'Ids of the new feeds.' }) added!: string[];
  @Amount({ says: 'Number of feeds that were already subscribed.' }) existing!: number;
  @Parts(RefusedFeed) refused!: RefusedFeed[];
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

export class ItemsQuery extends FeedsQuery {
  @Text({ max: 2000, optional: true, says: 'Id or URL of a feed; without it, items of all feeds.' }) feed?: string;
}

class FeedName {
  @Text() id!: string;
  @Text() title!: string;
}

export class ListedItemView extends OmitType(FeedItemView, ['content']) {
  @Part(FeedName) feed!: FeedName;
}

export class ReadItemView extends FeedItemView {
  @Part(FeedName) feed!: FeedName;
}

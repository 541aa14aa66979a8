/** A subscription, with the state of its polling. */
export interface Feed {
  /** Short and stable: it is part of the URI of the feed's resource. */
  id: string;
  url: string;
  publishedTitle: string | null;
  /** The administrator's title; null = none. */
  customTitle: string | null;
  description: string | null;
  siteUrl: string | null;
  /** Path of its folder, outermost first. */
  folders: string[];
  /** The polling interval set by an administrator; null = the publisher's, or else the default. */
  intervalMinutes: number | null;
  /** The polling interval that the publisher declares; null = none. */
  publishedIntervalMinutes: number | null;
  isPaused: boolean;
  /** The publisher ended the feed (HTTP 410), so it is no longer polled. */
  isGone: boolean;
  etag: string | null;
  lastModified: string | null;
  documentHash: string | null;
  /** Number of fetches that failed since the last successful one. */
  failures: number;
  lastError: string | null;
  lastFetchedAt: Date | null;
  lastChangedAt: Date | null;
  nextPollAt: Date | null; // null = never
  createdAt: Date;
}

/** The values of a feed before its first fetch. */
export const UNFETCHED: Omit<Feed, 'id' | 'url' | 'createdAt'> = {
  publishedTitle: null,
  customTitle: null,
  description: null,
  siteUrl: null,
  folders: [],
  intervalMinutes: null,
  publishedIntervalMinutes: null,
  isPaused: false,
  isGone: false,
  etag: null,
  lastModified: null,
  documentHash: null,
  failures: 0,
  lastError: null,
  lastFetchedAt: null,
  lastChangedAt: null,
  nextPollAt: null,
};

export type FeedState = 'active' | 'failing' | 'paused' | 'gone';

export interface FeedItem {
  feedId: string;
  /** Unique within its feed. */
  id: string;
  /** Changes when the publisher changes the item. */
  revision: string;
  url: string | null;
  title: string;
  author: string | null;
  publishedAt: Date | null;
  firstSeenAt: Date;
  /** `publishedAt` when it is known and not after `firstSeenAt`; otherwise `firstSeenAt`. */
  sortedAt: Date;
  content: string; // Markdown
  summary: string;
  categories: string[];
}

export function stateOf({ isGone, isPaused, failures }: Feed): FeedState {
  if (isGone) return 'gone';
  if (isPaused) return 'paused';
  return failures > 0 ? 'failing' : 'active';
}

export const titleOf = ({ customTitle, publishedTitle, url }: Feed): string =>
  customTitle ?? publishedTitle ?? URL.parse(url)?.hostname ?? url;

export const feedUri = (feed: string): string => `rss://${feed}`;
/** Returns the id in the URI of a feed; any other name as it is. */
export const withoutScheme = (name: string): string => /^rss:\/\/([^/?#]+)\/?$/.exec(name)?.[1] ?? name;
export const itemUri = (feed: string, item: string): string => `rss://${feed}/${item}`;

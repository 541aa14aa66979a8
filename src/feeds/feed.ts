/** A subscription, and what the poller knows about it. */
export interface Feed {
  /** Short and stable: part of its resource's URI. */
  id: string;
  url: string;
  /** As the publisher names it. */
  publishedTitle: string | null;
  /** As an administrator names it. */
  customTitle: string | null;
  description: string | null;
  siteUrl: string | null;
  /** The folders it is in, from the outermost to the innermost. */
  folders: string[];
  /** As an administrator decided; null = as the publisher says, else by default. */
  intervalMinutes: number | null;
  /** As the publisher says. */
  publishedIntervalMinutes: number | null;
  isPaused: boolean;
  /** The publisher ended it (410): it is not polled any more. */
  isGone: boolean;
  etag: string | null;
  lastModified: string | null;
  /** Of the document that was read last. */
  documentHash: string | null;
  /** In succession. */
  failures: number;
  lastError: string | null;
  lastFetchedAt: Date | null;
  lastChangedAt: Date | null;
  nextPollAt: Date | null; // null = never
  createdAt: Date;
}

/** A feed as it is before its first fetch. */
export const unfetchedFeed = (known: Partial<Feed> & Pick<Feed, 'id' | 'url' | 'createdAt'>): Feed => ({
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
  ...known,
});

export type FeedState = 'active' | 'failing' | 'paused' | 'gone';

export interface FeedItem {
  feedId: string;
  /** Unique within the feed. */
  id: string;
  /** Changes when what the publisher says changes. */
  revision: string;
  url: string | null;
  title: string;
  author: string | null;
  publishedAt: Date | null;
  firstSeenAt: Date;
  /** When it was published, as far as that is known and past; else when it was first seen. */
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
export const itemUri = (feed: string, item: string): string => `rss://${feed}/${item}`;

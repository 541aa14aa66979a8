import type { SavedItem } from './store/feed-item.store.js';
import { searchTextOf } from './store/feed-search.rules.js';
import { type Feed, type FeedItem, UNFETCHED } from './store/feed.js';

const NEW_YEAR = new Date('2026-01-01T00:00:00Z');

/** A feed before its first fetch. */
export const newFeed = (change: Partial<Feed> = {}): Feed => ({
  id: 'feed',
  url: `https://${change.id ?? 'feed'}.example/feed`,
  ...UNFETCHED,
  createdAt: NEW_YEAR,
  ...change,
});

export const newItem = (change: Partial<FeedItem> = {}): FeedItem => ({
  feedId: 'a',
  id: 'item',
  revision: '1',
  url: null,
  title: 'Item',
  author: null,
  publishedAt: null,
  firstSeenAt: NEW_YEAR,
  sortedAt: NEW_YEAR,
  content: '',
  summary: '',
  categories: [],
  ...change,
});

export const toSave = (item: FeedItem): SavedItem => ({ ...item, search: searchTextOf(item) });

import { type Feed, type FeedItem, unfetchedFeed } from './feed.js';

const NEW_YEAR = new Date('2026-01-01T00:00:00Z');

export const newFeed = (change: Partial<Feed> = {}): Feed =>
  unfetchedFeed({ id: 'feed', url: `https://${change.id ?? 'feed'}.example/feed`, createdAt: NEW_YEAR, ...change });

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

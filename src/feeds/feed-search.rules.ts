import { folded } from './reading/identity.rules.js';
import type { FeedItem } from './feed.js';

const MAX_WORDS = 10;
/** Of the content. */
const SEARCHED_CHARACTERS = 20_000;

/** A LIKE pattern, escaped by `!`, for texts that contain this one. The searched column is folded. */
export const containsPattern = (text: string): string => `%${folded(text.trim()).replace(/[%_!]/g, '!$&')}%`;

/** One pattern for each word: all of them are to be found. */
export const wordPatterns = (query: string): string[] =>
  query
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS)
    .map(containsPattern);

/** What an item is found by. */
export function searchTextOf({
  title,
  author,
  categories,
  content,
}: Pick<FeedItem, 'title' | 'author' | 'categories' | 'content'>): string {
  return folded([title, author ?? '', ...categories, content.slice(0, SEARCHED_CHARACTERS)].join(' '));
}

import type { FeedItem } from './feed.js';
import { normalForm } from '../../../platform/text/normal-form.rules.js';

const MAX_FOLDED = 50_000;
const MAX_WORDS = 10;
/** Characters of an item's content that are searched. */
const SEARCHED_CHARACTERS = 20_000;

/** Returns a LIKE pattern, escaped with `!`, that matches folded texts containing `text`. */
export const containsPattern = (text: string): string => `%${folded(text.trim()).replace(/[%_!]/g, '!$&')}%`;

/** Returns one LIKE pattern for each word of the query; an item matches when all of them do. */
export const wordPatterns = (query: string): string[] =>
  query
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS)
    .map(containsPattern);

/** Builds the folded text for searching an item. */
export function searchTextOf({
  title,
  author,
  categories,
  content,
}: Pick<FeedItem, 'title' | 'author' | 'categories' | 'content'>): string {
  return folded([title, author ?? '', ...categories, content.slice(0, SEARCHED_CHARACTERS)].join(' '));
}

/** Returns the first 50,000 characters of a text in lower case and without accents, for comparison in searches. */
export function folded(text: string): string {
  return normalForm(text.slice(0, MAX_FOLDED), 'NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
}

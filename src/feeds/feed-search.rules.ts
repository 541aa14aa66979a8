import { folded } from './feed-identity.rules.js';

const MAX_WORDS = 10;

/** A LIKE pattern, escaped by `!`, for texts that contain this one. The searched column is folded. */
export const containsPattern = (text: string): string => `%${folded(text.trim()).replace(/[%_!]/g, '!$&')}%`;

/** One pattern for each word: all of them are to be found. */
export const wordPatterns = (query: string): string[] =>
  query
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS)
    .map(containsPattern);

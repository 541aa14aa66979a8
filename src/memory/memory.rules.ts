import { hash as digest } from 'node:crypto';
import { normalForm } from '../text/normal-form.rules.js';
import type { TextMatch } from '../text/text-search.js';
import type { MemoryEntry } from './memory-entry.js';

export const DEFAULT_NAMESPACE = 'shared';
export const DEFAULT_IMPORTANCE = 3;
export const MAX_IMPORTANCE = 5;
export const MAX_CONTENT = 100_000;
export const NAMESPACE = /^[a-z0-9][a-z0-9._-]{0,63}$/;
export const KEY = /^[a-z0-9][a-z0-9._-]{0,127}$/;

const URI_PREFIX = 'memory://';
const DAY_MS = 86_400_000;
/** At this age, an entry counts as half as recent as a new one. */
const HALF_LIFE_DAYS = 30;
const WEIGHTS = { relevance: 0.7, importance: 0.2, recency: 0.1 };

export const memoryUri = ({ namespace, key }: Pick<MemoryEntry, 'namespace' | 'key'>): string =>
  `${URI_PREFIX}${namespace}/${key}`;

/** Returns a hash that is the same for texts that differ only in case, punctuation or white space. */
export function contentHash(content: string): string {
  const normal = normalForm(content, 'NFKC')
    .toLowerCase()
    .replaceAll(/[\s\p{P}]+/gu, ' ')
    .trim();
  return digest('sha256', normal === '' ? content : normal, 'base64url');
}

export const inDays = (now: Date, days: number): Date => new Date(now.getTime() + days * DAY_MS);

/**
 * Returns how good a match is, from 0 to 1: its relevance counts most, then its importance, then how recent it is.
 * @param relevance 0 to 1; 1 for the best match
 */
export function memoryScore(
  relevance: number,
  { importance, updatedAt }: Pick<MemoryEntry, 'importance' | 'updatedAt'>,
  now: Date,
): number {
  const ageDays = Math.max(0, now.getTime() - updatedAt.getTime()) / DAY_MS;
  const recency = 2 ** (-ageDays / HALF_LIFE_DAYS);
  return (
    WEIGHTS.relevance * relevance +
    WEIGHTS.importance * ((importance - 1) / (MAX_IMPORTANCE - 1)) +
    WEIGHTS.recency * recency
  );
}

/**
 * Returns the relevance of each match, from 0 to 1, keyed by id: its score in proportion to the best of its kind.
 * Matches with all the words get the upper half of the range, those with some of them the lower half.
 */
export function relevancesOf(matches: readonly TextMatch[]): Map<number, number> {
  const best = { all: Number.MIN_VALUE, some: Number.MIN_VALUE };
  for (const { has, score } of matches) best[has] = Math.max(best[has], score);
  return new Map(
    matches.map(({ id, has, score }) => {
      const nearness = score / best[has];
      return [id, has === 'all' ? 0.5 + nearness / 2 : nearness / 2];
    }),
  );
}

/** Returns the relevance of entries that were found by meaning, from 0 to 1, keyed by id: 1 for the most similar. */
export function nearnessesOf(matches: readonly { id: number; near: number }[]): Map<number, number> {
  const best = Math.max(...matches.map(({ near }) => near), Number.MIN_VALUE);
  return new Map(matches.map(({ id, near }) => [id, Math.max(0, near / best)]));
}

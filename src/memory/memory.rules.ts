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
/** An entry of this age counts half as recent as a new one. */
const HALF_LIFE_DAYS = 30;
const WEIGHTS = { relevance: 0.7, importance: 0.2, recency: 0.1 };

export const memoryUri = ({ namespace, key }: Pick<MemoryEntry, 'namespace' | 'key'>): string =>
  `${URI_PREFIX}${namespace}/${key}`;

/** The same for texts that differ in case, punctuation or white space only. */
export function contentHash(content: string): string {
  const normal = normalForm(content, 'NFKC')
    .toLowerCase()
    .replaceAll(/[\s\p{P}]+/gu, ' ')
    .trim();
  return digest('sha256', normal === '' ? content : normal, 'base64url');
}

export const inDays = (now: Date, days: number): Date => new Date(now.getTime() + days * DAY_MS);

/**
 * How good a match is, 0 to 1: mostly how well the text fits, then how important it is, then how recent.
 * @param relevance 0 to 1, 1 for the best match
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

/** Of each match, by its id, 0 to 1: what has all the words is in the upper half, by how near it comes to the best. */
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

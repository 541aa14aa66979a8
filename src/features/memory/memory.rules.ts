import { hash as digest } from 'node:crypto';
import type { TextMatch } from '../../platform/text/text-search.js';
import type { MemoryEntry } from './memory-entry.js';

export const DEFAULT_NAMESPACE = 'shared';
export const DEFAULT_IMPORTANCE = 3;
export const MAX_IMPORTANCE = 5;
export const MAX_CONTENT = 100_000;
export const NAMESPACE = /^[a-z0-9][a-z0-9._-]{0,63}$/;
export const KEY = /^[a-z0-9][a-z0-9._-]{0,127}$/;
/** The same in words. */
export const NAME_RULE =
  'must be a name such as deploy-day: lower-case letters, digits, dots, dashes and underscores, the first a letter or a digit';

const URI_PREFIX = 'memory://';
const DAY_MS = 86_400_000;
/** At this age, an entry counts as half as recent as a new one. */
const HALF_LIFE_DAYS = 30;
const WEIGHTS = { relevance: 0.7, importance: 0.2, recency: 0.1 };

export const memoryUri = ({ namespace, key }: Pick<MemoryEntry, 'namespace' | 'key'>): string =>
  `${URI_PREFIX}${namespace}/${key}`;

const ADDRESS = /^memory:\/\/([^/?#]+)\/([^/?#]+)$/;

/** Returns the entry that an address names; undefined when it names none. */
export function namedEntry(uri: string): Pick<MemoryEntry, 'namespace' | 'key'> | undefined {
  const [, namespace, key] = ADDRESS.exec(uri.trim()) ?? [];
  return namespace === undefined || key === undefined ? undefined : { namespace, key };
}

/** Returns a hash that ignores only differences in white space: "-5 hours" and "5 hours" must differ. */
export function contentHash(content: string): string {
  const normal = content.replaceAll(/\s+/g, ' ').trim();
  // The prefix prevents matches with hashes of earlier versions, which ignored punctuation.
  return digest('sha256', `exact:${normal}`, 'base64url');
}

/** Advice on merging two entries with the same content, without losing anything of either. */
export interface TwinAdvice {
  keep: MemoryEntry;
  remove: MemoryEntry;
  /** The importance with which to save the kept entry. */
  importance: number;
  tags: readonly string[];
}

/**
 * Returns which of two entries with the same content to keep: the one that expires later, else the more important one, else the
 * first; with the higher importance and the tags of both.
 */
export function twinAdvice(one: MemoryEntry, other: MemoryEntry): TwinAdvice {
  const byEnd = endOf(one) - endOf(other) || 0; // NaN when neither expires
  const isFirst = (byEnd || one.importance - other.importance) >= 0;
  const [keep, remove] = isFirst ? [one, other] : [other, one];
  return {
    keep,
    remove,
    importance: Math.max(keep.importance, remove.importance),
    tags: [...new Set([...keep.tags, ...remove.tags])],
  };
}

const endOf = ({ expiresAt }: MemoryEntry): number => expiresAt?.getTime() ?? Infinity;

export const inDays = (now: Date, days: number): Date => new Date(now.getTime() + days * DAY_MS);

/**
 * Returns how good a match is, from 0 to 1: relevance weighs most, then importance, then recency.
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

/** Returns the relevance of each match, from 0 to 1, keyed by id: its score in proportion to the best. */
export function relevancesOf(matches: readonly Pick<TextMatch, 'id' | 'score'>[]): Map<number, number> {
  const best = Math.max(Number.MIN_VALUE, ...matches.map(({ score }) => score));
  return new Map(matches.map(({ id, score }) => [id, score / best]));
}

/** Returns the relevance of semantic matches, from 0 to 1, keyed by id: 1 for the most similar. */
export function nearnessesOf(matches: readonly { id: number; near: number }[]): Map<number, number> {
  const best = Math.max(...matches.map(({ near }) => near), Number.MIN_VALUE);
  return new Map(matches.map(({ id, near }) => [id, Math.max(0, near / best)]));
}

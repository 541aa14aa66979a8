import type { Label } from './label.rules.js';

/** Each level has half of the rows of the one below; level 0 are all of them. */
const MOST_LEVELS = 12;
// As in label.rules.ts: no indexed word has a capital letter.
const MARK = 'ŦS';
/** 2^32 divided by the golden ratio: its multiples are spread evenly (Knuth, The Art of Computer Programming 3, 6.4). */
const GOLDEN = 0x9e3779b1;

/** The share of the rows that may be looked at which a lower level is expected to have: so it rarely has too many. */
const AIM = 0.75;

/** Returns the word by which a search looks only at the rows of a level. @param level from 1 */
export const levelLabel = (level: number): Label => `${MARK}${level}`;

/**
 * Returns the labels of the levels that a row belongs to. The rows of a level are spread evenly over those that came
 * early and late.
 */
export function levelLabels(id: number): Label[] {
  const levels = Math.min(MOST_LEVELS, Math.clz32(Math.imul(id, GOLDEN)));
  return Array.from({ length: levels }, (_, below) => levelLabel(below + 1));
}

/** Returns the lowest level at which so many rows are not too many. @param most rows that may be looked at */
export const levelFor = (rows: number, most: number): number =>
  Math.min(MOST_LEVELS, Math.max(0, Math.ceil(Math.log2(rows / most))));

/**
 * Returns the level that is better than one that has so many rows: the next one, if it has too many; or a lower one, as
 * long as that probably has not too many; or the same.
 * @param size rows that match on the level, as far as they may be looked at
 * @param most rows that may be looked at
 */
export function betterLevel(level: number, size: number, most: number): number {
  if (size >= most) return Math.min(MOST_LEVELS, level + 1);
  const lower = Math.floor(Math.log2((most * AIM) / Math.max(1, size)));
  return Math.max(0, level - Math.max(0, lower));
}

import type { Label } from './label.rules.js';

/** Each level has half of the rows of the one below; level 0 has all of them. */
const MOST_LEVELS = 12;
// As in label.rules.ts: no indexed word has a capital letter.
const MARK = 'ŦS';
/** 2^32 divided by the golden ratio: its multiples are evenly distributed (Knuth, The Art of Computer Programming 3, 6.4). */
const GOLDEN = 0x9e3779b1;

/** Target fill of a lower level, as a share of the permitted rows, so that it rarely has too many. */
const AIM = 0.75;

/** Returns the label that restricts a search to the rows of a level. @param level from 1 */
export const levelLabel = (level: number): Label => `${MARK}${level}`;

/** Returns the labels of the levels that a row belongs to. The rows of each level are evenly distributed over old and new ones. */
export function levelLabels(id: number): Label[] {
  const levels = Math.min(MOST_LEVELS, Math.clz32(Math.imul(id, GOLDEN)));
  return Array.from({ length: levels }, (_, below) => levelLabel(below + 1));
}

/** Returns the lowest level at which this many rows are not too many. @param most number of rows to consider */
export const levelFor = (rows: number, most: number): number =>
  Math.min(MOST_LEVELS, Math.max(0, Math.ceil(Math.log2(rows / most))));

/**
 * Returns a better level given the number of rows at the current one: the next one, if it has too many; a lower one, if that
 * probably does not have too many; or the same.
 * @param size number of matching rows on the level, counted up to `most`
 * @param most number of rows to consider
 */
export function betterLevel(level: number, size: number, most: number): number {
  if (size >= most) return Math.min(MOST_LEVELS, level + 1);
  const lower = Math.floor(Math.log2((most * AIM) / Math.max(1, size)));
  return Math.max(0, level - Math.max(0, lower));
}

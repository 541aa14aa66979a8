import type { Json } from '../json.js';

/** Deeper values count as too long: what writes JSON, and what compares values, calls itself for each level. */
export const DEEPEST = 1000;

/**
 * Returns whether a value would be longer than a number of characters as JSON, or is nested too deep. Stops counting
 * there. Counts a little less than the whole, such as escaped characters as one.
 */
export function isLonger(value: Json, characters: number): boolean {
  return leftAfter(value, characters, DEEPEST) < 0;
}

/** Returns how many characters a value has as JSON, about, or one more than `most` when it has more. */
export function lengthUpTo(value: Json, most: number): number {
  return most - Math.max(-1, leftAfter(value, most, DEEPEST));
}

/** Returns how many of the characters are left when a value has been written; negative when they did not suffice. */
function leftAfter(value: Json | undefined, characters: number, levels: number): number {
  if (typeof value === 'string') return characters - value.length - 2;
  if (typeof value !== 'object' || value === null) return characters - 1;
  if (levels === 0) return -1;
  let left = characters - 2;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && left >= 0; index++)
      left = leftAfter(value[index], left - 1, levels - 1);
    return left;
  }
  for (const name in value) {
    if (left < 0) break;
    left = leftAfter(value[name], left - name.length - 4, levels - 1);
  }
  return left;
}

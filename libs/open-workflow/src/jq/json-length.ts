import type { Json } from '../json.js';

/** Deeper values count as too long: serialisation and comparison recurse for each level. */
export const DEEPEST = 1000;

/**
 * Returns whether a value exceeds a number of characters as JSON, or is nested too deep; stops counting there. Slightly
 * underestimates: an escaped character counts as one.
 */
export function isLonger(value: Json, characters: number): boolean {
  return leftAfter(value, characters, DEEPEST) < 0;
}

/** Returns the approximate length of a value as JSON, or `most + 1` when it is longer. */
export function lengthUpTo(value: Json, most: number): number {
  return most - Math.max(-1, leftAfter(value, most, DEEPEST));
}

/** Returns the remaining characters after serialising a value; negative when there are too few. */
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

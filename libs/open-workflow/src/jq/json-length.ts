import type { Json } from '../json.js';

/**
 * Returns whether a value would be longer than a number of characters as JSON. Stops counting there. Counts a little
 * less than the whole, such as escaped characters as one.
 */
export function isLonger(value: Json, characters: number): boolean {
  return leftAfter(value, characters) < 0;
}

/** Returns how many of the characters are left when a value has been written; negative when they did not suffice. */
function leftAfter(value: Json | undefined, characters: number): number {
  if (typeof value === 'string') return characters - value.length - 2;
  if (typeof value !== 'object' || value === null) return characters - 1;
  let left = characters - 2;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && left >= 0; index++) left = leftAfter(value[index], left - 1);
    return left;
  }
  for (const name in value) {
    if (left < 0) break;
    left = leftAfter(value[name], left - name.length - 4);
  }
  return left;
}

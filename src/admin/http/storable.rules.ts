import { storable } from '../../database/full-text/words.rules.js';

/** Whether both databases can keep the text: without NUL, and without half a surrogate pair. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** A value of JSON whose texts, and names, both databases can keep. It is changed in place where that is needed. */
export function storableValue(value: unknown): unknown {
  if (typeof value === 'string') return isStorable(value) ? value : storable(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    value.forEach((item: unknown, index) => (value[index] = storableValue(item)));
    return value;
  }
  const members = Object.entries(value).map(([name, member]) => [storable(name), storableValue(member)] as const);
  // By definition, not by assignment: a member named __proto__ is a member like any other.
  return Object.fromEntries(members);
}

// In JSON, NUL and half a character can only be written as escapes, which hardly any message has.
const UNSTORABLE_ESCAPE = /\\u(?:0000|d[89a-f])/i;

/** Returns whether a text in this JSON may hold characters that a database can't store. */
export function mayHoldUnstorable(json: Buffer): boolean {
  return json.includes('\\u') && UNSTORABLE_ESCAPE.test(json.toString('latin1'));
}

/** Returns whether both databases can store the text: it has neither NUL nor half a character (a lone surrogate). */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** Returns the text without NUL, and with each half character replaced. */
export const storableText = (text: string): string =>
  isStorable(text) ? text : text.replace(/\0+/g, '').toWellFormed();

/** Returns a JSON value in which all texts, including names of members, are storable. */
export function storableValue(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(storableValue);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [storableText(name), storableValue(member)] as const);
  // Unlike an assignment, `fromEntries` makes a member named __proto__ a member like any other.
  return Object.fromEntries(members);
}

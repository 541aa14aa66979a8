// In JSON, NUL and half a character can only be written as escapes: nearly no message holds one.
const UNSTORABLE_ESCAPE = /\\u(?:0000|d[89a-f])/i;

/** Whether a text in this JSON may hold what a database does not keep. */
export function mayHoldUnstorable(json: Buffer): boolean {
  return json.includes('\\u') && UNSTORABLE_ESCAPE.test(json.toString('latin1'));
}

/** Whether both databases keep the text as it is: without NUL, and without half a character (a surrogate alone). */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** The text without what a database does not keep. */
export const storableText = (text: string): string =>
  isStorable(text) ? text : text.replaceAll('\0', '').toWellFormed();

/** A value of JSON with storable texts only, in names of members too. */
export function storableValue(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(storableValue);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [storableText(name), storableValue(member)] as const);
  // By definition, not by assignment: a member named __proto__ is a member like any other.
  return Object.fromEntries(members);
}

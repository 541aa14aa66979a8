import { isObject } from './json-rpc.js';

// In JSON, NUL and half a character can only be written as escapes: nearly no message holds one.
const UNSTORABLE_ESCAPE = /\\u(?:0000|d[89a-f])/i;

/** Whether a text in this JSON may hold NUL or half a character (a surrogate without the other), which PostgreSQL refuses. */
export function mayHoldUnstorable(json: Buffer): boolean {
  return json.includes('\\u') && UNSTORABLE_ESCAPE.test(json.toString('latin1'));
}

export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** The same value, without NUL and with whole characters only, in names of members too. */
export function storable(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(storable);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [storableText(name), storable(member)]));
}

const storableText = (text: string): string => (isStorable(text) ? text : text.replaceAll('\0', '').toWellFormed());

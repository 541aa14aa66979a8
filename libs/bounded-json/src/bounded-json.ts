/** The parsed value, or why the bytes were refused. */
export type BoundedJson = { value: unknown } | { problem: 'not_json' | 'too_deep' };

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_ARRAY, CLOSE_ARRAY] = [0x5b, 0x5d];
const [OPEN_OBJECT, CLOSE_OBJECT] = [0x7b, 0x7d];

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses JSON (RFC 8259, in UTF-8) whose arrays and objects are nested at most `maxDepth` deep. Refuses deeper nesting
 * without parsing it, because recursive code that reads the value later would overflow the stack.
 */
export function parseBoundedJson(bytes: Uint8Array, maxDepth: number): BoundedJson {
  if (depthOf(bytes, maxDepth) > maxDepth) return { problem: 'too_deep' };
  try {
    return { value: JSON.parse(utf8.decode(bytes)) as unknown };
  } catch {
    return { problem: 'not_json' };
  }
}

/** Returns how deep arrays and objects are nested in a JSON text; stops counting above `enough`. */
export function depthOf(bytes: Uint8Array, enough: number): number {
  // A text this short cannot be that deep; most messages return here.
  if (bytes.length <= enough) return 0;
  let [depth, deepest] = [0, 0];
  for (let at = 0; at < bytes.length; at++) {
    switch (bytes[at]) {
      case QUOTE:
        at = endOfString(bytes, at + 1);
        break;
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        depth += 1;
        if (depth > deepest) deepest = depth;
        if (deepest > enough) return deepest;
        break;
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        depth -= 1;
    }
  }
  return deepest;
}

/**
 * Returns about how many values a JSON text holds, including arrays and objects; stops counting above `enough`. Call it
 * before parsing: a few megabytes of `{},{},{}` take many times their size once parsed.
 */
export function valueCountOf(bytes: Uint8Array, enough: number): number {
  if (bytes.length <= enough) return 0;
  let count = 1;
  for (let at = 0; at < bytes.length && count <= enough; at++) {
    switch (bytes[at]) {
      case QUOTE:
        at = endOfString(bytes, at + 1);
        break;
      case COMMA:
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        count += 1;
    }
  }
  return count;
}

/**
 * Returns the position of the quote that ends the string starting at `from`; the end of the text when there is none.
 */
function endOfString(bytes: Uint8Array, from: number): number {
  for (let quote = bytes.indexOf(QUOTE, from); quote >= 0; quote = bytes.indexOf(QUOTE, quote + 1)) {
    let first = quote;
    while (first > from && bytes[first - 1] === BACKSLASH) first -= 1;
    if ((quote - first) % 2 === 0) return quote;
  }
  return bytes.length;
}

/** Returns a text of trusted size as JSON; null when it is none. */
export function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Returns whether a JSON value is an object: no list, and not null. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const LONGEST_PLACE = 200;

// In JSON, NUL and lone surrogates can only be written as escapes, and hardly any message has them.
const UNSTORABLE_ESCAPE = /\\u(?:0000|d[89a-f])/i;

/** Returns whether a string in this JSON may contain characters that a database can't store. */
export function mayHoldUnstorable(json: Buffer): boolean {
  return json.includes('\\u') && UNSTORABLE_ESCAPE.test(json.toString('latin1'));
}

/** Returns whether both databases can store the text: it has neither NUL nor a lone surrogate. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** Returns the text without NUL, with U+FFFD for each lone surrogate. */
export const storableText = (text: string): string =>
  isStorable(text) ? text : text.replace(/\0+/g, '').toWellFormed();

/** Returns where in a JSON value a text is not storable, such as `params.arguments.tags[0]`; null = nowhere. */
export function placeOfUnstorable(value: unknown, place: string): string | null {
  if (typeof value === 'string') return isStorable(value) ? null : shownPlace(place);
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, member] of Object.entries(value)) {
    if (!isStorable(name)) return `a name in ${shownPlace(place)}`;
    const found = placeOfUnstorable(member, Array.isArray(value) ? `${place}[${name}]` : `${place}.${name}`);
    if (found !== null) return found;
  }
  return null;
}

const shownPlace = (place: string): string => place.slice(0, LONGEST_PLACE).toWellFormed();

/** Returns the JSON value with all strings, including member names, made storable. */
export function storableValue(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(storableValue);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [storableText(name), storableValue(member)] as const);
  // Unlike an assignment, `fromEntries` treats `__proto__` as an ordinary name.
  return Object.fromEntries(members);
}

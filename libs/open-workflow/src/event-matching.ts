import { isDeepStrictEqual } from 'node:util';
import { createContext, Script } from 'node:vm';
import { ANSWER_EVENT, type CloudEvent } from './durable-steps.js';
import type { Json } from './json.js';
import type { EventAttributes } from './model.js';

/**
 * Returns whether an event has all attributes that a filter asks for. A text is equal when it is the same, or when it
 * is a regular expression that matches the whole attribute. Of objects, only the members that the filter has count.
 */
export function matchesEvent(filter: EventAttributes, event: CloudEvent): boolean {
  // The name of a step may look like a regular expression.
  if (filter.type === ANSWER_EVENT && filter.subject !== event.subject) return false;
  return Object.entries(filter).every(
    ([name, expected]) => expected === undefined || (Object.hasOwn(event, name) && fits(expected, event[name] ?? null)),
  );
}

function fits(expected: Json, actual: Json): boolean {
  if (typeof expected === 'string' && typeof actual === 'string')
    return expected === actual || matchesPattern(expected, actual);
  if (typeof expected !== 'object' || expected === null) return expected === actual;
  if (Array.isArray(expected)) return isDeepStrictEqual(expected, actual);
  if (typeof actual !== 'object' || actual === null || Array.isArray(actual)) return false;
  return Object.entries(expected).every(
    ([name, value]) => value === undefined || (Object.hasOwn(actual, name) && fits(value, actual[name] ?? null)),
  );
}

const MAX_PATTERN = 500;
const MAX_TEXT = 2000;
const TIME_LIMIT_MS = 20;
/** Texts without these are no regular expressions, but for the dot, which is in most types of events. */
const SPECIAL = /[\\^$*+?()[\]{}|]/;
/** Takes little time for any text: no groups, and one repetition at most. */
const CHEAP = /^(?:[^\\^$*+?()[\]{}|]|\\.)*(?:[*+?](?:[^\\^$*+?()[\]{}|]|\\.)*)?$/;

function matchesPattern(pattern: string, text: string): boolean {
  if (!SPECIAL.test(pattern) || pattern.length > MAX_PATTERN || text.length > MAX_TEXT) return false;
  try {
    if (CHEAP.test(pattern)) return new RegExp(`^(?:${pattern})$`).test(text);
    return matchesInTime(pattern, text);
  } catch {
    return false; // no regular expression, or one that takes too long
  }
}

const sandbox = createContext({ pattern: '', text: '' });
const matching = new Script('new RegExp(`^(?:${pattern})$`).test(text)');

/** Some regular expressions take exponential time for some texts. @throws when the time is over */
function matchesInTime(pattern: string, text: string): boolean {
  Object.assign(sandbox, { pattern, text });
  return matching.runInContext(sandbox, { timeout: TIME_LIMIT_MS }) === true;
}

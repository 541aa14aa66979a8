import { isDeepStrictEqual } from 'node:util';
import { isCheapPattern, withinTime } from '#json-schema';
import { ANSWER_EVENT, type CloudEvent } from './durable-steps.js';
import type { Json } from './json.js';
import type { EventAttributes } from './model.js';

/**
 * Returns whether an event has all attributes of a filter. A text matches when it is equal, or is a regular expression that
 * matches the whole attribute. For objects, only the filter's members count.
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
/** Texts without these are not regular expressions. The dot does not count: most event types contain one. */
const SPECIAL = /[\\^$*+?()[\]{}|]/;

function matchesPattern(pattern: string, text: string): boolean {
  if (!SPECIAL.test(pattern) || pattern.length > MAX_PATTERN || text.length > MAX_TEXT) return false;
  try {
    // With this flag, as definitions are checked.
    const test = () => new RegExp(`^(?:${pattern})$`, 'u').test(text);
    return isCheapPattern(pattern) ? test() : matchesInTime(pattern, test);
  } catch {
    return false; // not a regular expression
  }
}

/** Regular expressions that have exceeded the time limit. */
const tooSlow = new Set<string>();
const MOST_KNOWN = 1000;
/** How often to retry one that ran out of time without using the CPU, because the machine was busy. */
const MOST_TRIES = 10;

/** Some regular expressions take exponential time on some texts. Once one times out, it never matches again. */
function matchesInTime(pattern: string, test: () => boolean): boolean {
  if (tooSlow.has(pattern)) return false;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const before = process.threadCpuUsage();
    const result = withinTime(TIME_LIMIT_MS, test);
    if (result !== undefined) return result;
    const { user, system } = process.threadCpuUsage(before);
    if (user + system > (TIME_LIMIT_MS * 1000) / 2) break;
  }
  if (tooSlow.size >= MOST_KNOWN) tooSlow.clear();
  tooSlow.add(pattern);
  return false;
}

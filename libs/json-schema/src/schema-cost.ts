import { createContext, Script } from 'node:vm';

/** Keywords whose cost can grow faster than the data: patterns (formats use them, too), recursion, comparisons of item pairs. */
const COSTLY = new Set([
  'patternProperties',
  'propertyNames',
  'uniqueItems',
  'format',
  'contains',
  '$ref',
  '$dynamicRef',
  '$recursiveRef',
  'unevaluatedItems',
  'unevaluatedProperties',
]);
/**
 * Matches patterns that are fast on any text: no groups, and at most one repetition, which is tried once because the pattern is
 * anchored at the start. Unanchored, `\s+$` takes quadratic time on a text of spaces.
 */
const CHEAP_PATTERN = /^\^(?:[^\\^$*+?()[\]{}|]|\\.|[\^$])*(?:[*+?](?:[^\\^$*+?()[\]{}|]|\\.|\$)*)?$/;
/** The part after a repetition may be compared at each position of a text. */
const LONGEST_CHEAP = 50;
/** Schemas with more values are not inspected further. */
const MOST_VALUES = 2_000;

/** Returns whether a regular expression is simple enough to be fast on any text. */
export const isCheapPattern = (pattern: string): boolean =>
  pattern.length <= LONGEST_CHEAP && CHEAP_PATTERN.test(pattern);

/** Returns whether validation by this JSON Schema may be slow even for small data. */
export function mayTakeLong(schema: object): boolean {
  const waiting: unknown[] = [schema];
  for (let seen = 0; waiting.length > 0; seen++) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (seen > MOST_VALUES) return true;
    for (const [name, member] of Object.entries(value)) {
      if (COSTLY.has(name)) return true;
      if (name === 'pattern' && !(typeof member === 'string' && isCheapPattern(member))) return true;
      waiting.push(member);
    }
  }
  return false;
}

const sandbox = createContext({ work: null });
const script = new Script('work()');

/**
 * Runs pure, synchronous work on this thread; stops it and returns undefined when it exceeds the limit. The overhead is a tenth
 * of a millisecond.
 */
export function withinTime<T>(limitMs: number, work: () => T): T | undefined {
  const done: { result?: T } = {};
  sandbox['work'] = () => void (done.result = work());
  try {
    script.runInContext(sandbox, { timeout: limitMs });
  } catch (error) {
    if (!isTimeout(error)) throw error;
  }
  return done.result;
}

const isTimeout = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';

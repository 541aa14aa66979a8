import { createContext, Script } from 'node:vm';

/** What a check takes long with that is not simply proportional to the data: patterns (formats are, too), recursion, pairs of items. */
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
 * Takes little time for any text: no groups, and one repetition at most, which is tried once, because the pattern is
 * anchored at its beginning. From anywhere, `\s+$` takes quadratic time for a text of spaces.
 */
const CHEAP_PATTERN = /^\^(?:[^\\^$*+?()[\]{}|]|\\.|[\^$])*(?:[*+?](?:[^\\^$*+?()[\]{}|]|\\.|\$)*)?$/;
/** What follows a repetition may be compared at each place of a text. */
const LONGEST_CHEAP = 50;
/** A schema with more values than this is not looked at any further. */
const MOST_VALUES = 2_000;

/** Returns whether a regular expression is so simple that no text takes it long. */
export const isCheapPattern = (pattern: string): boolean =>
  pattern.length <= LONGEST_CHEAP && CHEAP_PATTERN.test(pattern);

/** Returns whether there may be small data that a check by this JSON Schema takes long with. */
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
 * Does pure, synchronous work on this thread, and stops it when it takes longer than a time; then returns undefined.
 * Takes a tenth of a millisecond more than the work.
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

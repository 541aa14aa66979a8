import { matchesEvent } from '#open-workflow';

/** No type that is listened for by its name begins with it. */
const PATTERN = '~';

/** Returns how a regular expression is kept among the types of events that a run listens for. */
export const asPattern = (expression: string): string => PATTERN + expression;

/** Returns whether a type of event is one that a kept pattern means. */
export const isMeant = (pattern: string, type: string): boolean =>
  matchesEvent({ type: pattern.slice(PATTERN.length) }, { specversion: '1.0', id: '', source: '', type });

import { matchesEvent } from '#open-workflow';

/** A prefix that no literal type has. */
const PATTERN = '~';

/** Returns the form in which a regular expression is stored among the event types of a run. */
export const asPattern = (expression: string): string => PATTERN + expression;

/** Returns whether a stored pattern matches a type of event. */
export const isMeant = (pattern: string, type: string): boolean =>
  matchesEvent({ type: pattern.slice(PATTERN.length) }, { specversion: '1.0', id: '', source: '', type });

import type { Problem } from '../workflow-error.js';
import type { HttpResponse } from '../workflow-host.js';

/** A server that asks for more is asked again after a day. */
const LONGEST_S = 86_400;
/** The three forms of a date that RFC 9110 (5.6.7) has receivers accept. */
const DATE = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? .{10,40}$/i;

/**
 * Returns how many seconds a server asks to be left alone (RFC 9110, 10.2.3): from 0 to a day. Undefined when it does not say.
 * @param at what time it is here (ISO 8601): counts for a response without a `Date`
 */
export function retryAfterOf({ status, headers }: HttpResponse, at: string): number | undefined {
  if (status !== 429 && status !== 503) return undefined;
  const value = (headers['retry-after'] ?? '').trim();
  if (/^\d+$/.test(value)) return Math.min(Number(value), LONGEST_S);
  const until = timeOf(value);
  if (Number.isNaN(until)) return undefined;
  // By the clock of the server, which may differ from ours.
  const answeredAt = timeOf(headers['date'] ?? '');
  const seconds = Math.ceil((until - (Number.isNaN(answeredAt) ? Date.parse(at) : answeredAt)) / 1000);
  return Math.max(0, Math.min(seconds, LONGEST_S));
}

/** Returns how many milliseconds must pass before what failed is tried again, if its error says so; else 0. */
export function leastDelayMs({ retryAfter }: Problem): number {
  return typeof retryAfter === 'number' && retryAfter > 0 ? Math.min(retryAfter, LONGEST_S) * 1000 : 0;
}

/** The form of asctime has no zone, and means UTC as the others. */
function timeOf(date: string): number {
  if (!DATE.test(date)) return NaN;
  return Date.parse(/ GMT$/i.test(date) ? date : `${date} GMT`);
}

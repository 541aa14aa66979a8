import type { Problem } from '../workflow-error.js';
import type { HttpResponse } from '../workflow-host.js';

/** Cap on the delay: after a day, the server is asked again. */
const LONGEST_S = 86_400;
/** The three date formats that RFC 9110 (5.6.7) requires receivers to accept. */
const DATE = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? .{10,40}$/i;

/**
 * Returns the server's Retry-After (RFC 9110, 10.2.3) in seconds: from 0 to a day. Undefined when it has none.
 * @param at the local time (ISO 8601), for responses without a `Date`
 */
export function retryAfterOf({ status, headers }: HttpResponse, at: string): number | undefined {
  if (status !== 429 && status !== 503) return undefined;
  const value = (headers['retry-after'] ?? '').trim();
  if (/^\d+$/.test(value)) return Math.min(Number(value), LONGEST_S);
  const until = timeOf(value);
  if (Number.isNaN(until)) return undefined;
  // By the server's clock, which may differ from ours.
  const answeredAt = timeOf(headers['date'] ?? '');
  const seconds = Math.ceil((until - (Number.isNaN(answeredAt) ? Date.parse(at) : answeredAt)) / 1000);
  return Math.max(0, Math.min(seconds, LONGEST_S));
}

/** Returns the minimum delay before a retry, if the error has one; else 0. */
export function leastDelayMs({ retryAfter }: Problem): number {
  return typeof retryAfter === 'number' && retryAfter > 0 ? Math.min(retryAfter, LONGEST_S) * 1000 : 0;
}

/** The asctime format has no zone, and means UTC like the others. */
function timeOf(date: string): number {
  if (!DATE.test(date)) return NaN;
  return Date.parse(/ GMT$/i.test(date) ? date : `${date} GMT`);
}

import type { Remedy } from '../models/llm.errors.js';

/** Attempts per model with a fallback model, and without one. */
const MOST_TRIES = { withFallback: 2, alone: 5 };
const FIRST_DELAY_MS = 500;
/** Minimum delay between attempts, and the minimum time left that is worth a request. */
const LEAST_DELAY_MS = 50;
const LEAST_LEFT_MS = 500;

export interface FailedTry {
  remedy: Remedy;
  /** The wait that the API requests; undefined = none. */
  retryAfterMs: number | undefined;
  /** Number of attempts so far. */
  tries: number;
  /** Time until the call must have ended. */
  leftMs: number;
  hasFallback: boolean;
}

/** What to do after a request has failed: retry the same model, use the fallback model, or give up. */
export type NextTry = { kind: 'wait'; delayMs: number } | { kind: 'fallback' } | { kind: 'give_up' };

export function nextTry({ remedy, retryAfterMs, tries, leftMs, hasFallback }: FailedTry): NextTry {
  if (remedy === null) return { kind: 'give_up' };
  const delayMs = Math.max(retryAfterMs ?? FIRST_DELAY_MS * 2 ** (tries - 1), LEAST_DELAY_MS);
  // Leave most of the time to the fallback model.
  const mostMs = hasFallback ? leftMs / 4 : leftMs - LEAST_LEFT_MS;
  const mostTries = hasFallback ? MOST_TRIES.withFallback : MOST_TRIES.alone;
  if (remedy === 'again' && tries < mostTries && delayMs <= mostMs) return { kind: 'wait', delayMs };
  return hasFallback && leftMs > LEAST_LEFT_MS ? { kind: 'fallback' } : { kind: 'give_up' };
}

/**
 * Returns the timeout for the next part of an answer: half of the time left if there is a fallback model; otherwise longer than
 * the call, whose own timeout explains why it is stopped.
 */
export const patienceOf = (leftMs: number, hasFallback: boolean): number =>
  hasFallback ? leftMs / 2 : leftMs * 2 + 1_000;

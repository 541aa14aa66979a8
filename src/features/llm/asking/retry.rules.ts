/** How often a model is asked when another one can stand in, and when none can. */
const MOST_TRIES = { withStandIn: 2, alone: 5 };
const FIRST_DELAY_MS = 500;
/** Shorter waits than these would be noise, and with less time left nothing is worth a request. */
const LEAST_DELAY_MS = 50;
const LEAST_LEFT_MS = 500;

export interface FailedTry {
  isPassing: boolean;
  /** How long the API asks to wait; undefined = it does not say. */
  retryAfterMs: number | undefined;
  /** How often the model was asked. */
  tries: number;
  /** Time until the call must have ended. */
  leftMs: number;
  hasStandIn: boolean;
}

/** What to do after a request has failed: ask the same model again, ask the other one, or give up. */
export type NextTry = { kind: 'wait'; delayMs: number } | { kind: 'stand_in' } | { kind: 'give_up' };

export function nextTry({ isPassing, retryAfterMs, tries, leftMs, hasStandIn }: FailedTry): NextTry {
  if (!isPassing) return { kind: 'give_up' };
  const delayMs = Math.max(retryAfterMs ?? FIRST_DELAY_MS * 2 ** (tries - 1), LEAST_DELAY_MS);
  // A model that stands in needs most of the time.
  const mostMs = hasStandIn ? leftMs / 4 : leftMs - LEAST_LEFT_MS;
  const mostTries = hasStandIn ? MOST_TRIES.withStandIn : MOST_TRIES.alone;
  if (tries < mostTries && delayMs <= mostMs) return { kind: 'wait', delayMs };
  return hasStandIn && leftMs > LEAST_LEFT_MS ? { kind: 'stand_in' } : { kind: 'give_up' };
}

/**
 * Returns how long the next part of an answer may take: half of what is left when another model could still answer, else longer than
 * the call, which says then why it is stopped.
 */
export const patienceOf = (leftMs: number, hasStandIn: boolean): number =>
  hasStandIn ? leftMs / 2 : leftMs * 2 + 1_000;

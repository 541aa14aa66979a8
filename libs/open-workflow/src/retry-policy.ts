import { durationMs } from './durations.js';
import type { Json } from './json.js';
import type { RetryPolicy } from './model.js';

/** A retry policy in numbers. */
export interface RetryRules {
  delayMs: number;
  backoff: 'constant' | 'linear' | 'exponential';
  /** Maximum number of retries; Infinity = no limit. */
  retries: number;
  /** Latest start of an attempt, relative to the start of the first; Infinity = no limit. */
  durationMs: number;
  /** Range of the random time added to each delay. */
  jitterMs: { from: number; to: number };
}

/** @param policy with its expressions evaluated */
export function rulesOf(policy: RetryPolicy): RetryRules {
  const { delay, backoff = {}, limit = {}, jitter } = policy;
  const ms = (duration: Json | undefined, fallback: number) =>
    duration === undefined ? fallback : durationMs(duration);
  return {
    delayMs: ms(delay, 0),
    backoff: backoff.exponential ? 'exponential' : backoff.linear ? 'linear' : 'constant',
    retries: limit.attempt?.count ?? Infinity,
    durationMs: ms(limit.duration, Infinity),
    jitterMs: { from: ms(jitter?.from, 0), to: ms(jitter?.to, 0) },
  };
}

interface FailedAttempt {
  /** 1 is the first. */
  attempt: number;
  /** Since the first attempt began. */
  elapsedMs: number;
  /** Minimum delay, as requested by a server. */
  leastMs: number;
}

/** Returns the delay before the next attempt, without jitter; null = no more attempts. */
export function retryDelayMs(rules: RetryRules, { attempt, elapsedMs, leastMs }: FailedAttempt): number | null {
  const delayMs = Math.max(leastMs, Math.min(rules.delayMs * factorOf(rules, attempt), LONGEST_DELAY_MS));
  return attempt > rules.retries || elapsedMs + delayMs > rules.durationMs ? null : delayMs;
}

const LONGEST_DELAY_MS = 365 * 86_400_000;

function factorOf({ backoff }: RetryRules, attempt: number): number {
  switch (backoff) {
    case 'constant':
      return 1;
    case 'linear':
      return attempt;
    case 'exponential':
      // Beyond this, any delay is at its limit. Infinity times no delay would be no number.
      return 2 ** Math.min(attempt - 1, 50);
  }
}

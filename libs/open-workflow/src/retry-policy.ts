import { durationMs } from './durations.js';
import type { Json } from './json.js';
import type { RetryPolicy } from './model.js';

/** What a retry policy says, in numbers. */
export interface RetryRules {
  delayMs: number;
  backoff: 'constant' | 'linear' | 'exponential';
  /** How often to try again at most; Infinity = no limit. */
  retries: number;
  /** How long after the first attempt began the last may begin; Infinity = no limit. */
  durationMs: number;
  /** What is added to each delay is chosen between these. */
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

/** A failed attempt. */
interface FailedAttempt {
  /** 1 is the first. */
  attempt: number;
  /** Since the first attempt began. */
  elapsedMs: number;
  /** How long to wait at least, because a server asks for it. */
  leastMs: number;
}

/** Returns how long to wait before trying again, without jitter; null = not again. */
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
      return 2 ** (attempt - 1);
  }
}

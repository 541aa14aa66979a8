import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimitStore } from '../../platform/database/rate-limit.store.js';

const FIRST_WAIT_SECONDS = 5;
const LONGEST_WAIT_SECONDS = 15 * 60;
const FORGET_AFTER_SECONDS = 60 * 60;

/** The wait after this many failures: none for the free ones, then doubled each time. */
export function waitAfterSeconds(failures: number, freeFailures: number): number {
  if (failures < freeFailures) return 0;
  return Math.min(FIRST_WAIT_SECONDS * 2 ** (failures - freeFailures), LONGEST_WAIT_SECONDS);
}

/** Counts failures by key. After some free ones, each delays the next attempt. */
export class FailureCount {
  /** Counts the free failures, which cause no wait. */
  private readonly free: RateLimiterAbstract;
  /** Lets one attempt through, and no other until the wait is over. */
  private readonly waits: RateLimiterAbstract;
  /** Counts the waits, so that each is longer than the one before. */
  private readonly failures: RateLimiterAbstract;

  /** @param name unique among all counters in the database */
  constructor(
    attempts: RateLimitStore,
    name: string,
    private readonly freeFailures: number,
  ) {
    const limits = { points: freeFailures - 1, durationSeconds: FORGET_AFTER_SECONDS };
    this.free = attempts.open(`${name} free`, limits);
    this.waits = attempts.open(`${name} waits`, { points: 1, durationSeconds: LONGEST_WAIT_SECONDS });
    this.failures = attempts.open(`${name} failures`, limits);
  }

  /** Counts an attempt as failed until it succeeds; returns how many seconds it has to wait instead, or 0. */
  async begin(key: string): Promise<number> {
    // Concurrent guesses: not all get through.
    if ((await refusalOf(this.free.consume(key))) === null) return 0;
    const failures = (await this.failuresOf(key)) + 1;
    const customDuration = waitAfterSeconds(failures, this.freeFailures);
    const refusal = await refusalOf(this.waits.consume(key, 1, { customDuration }));
    if (refusal) return Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
    await this.failures.set(key, failures, FORGET_AFTER_SECONDS);
    // No more free attempts until all failures are forgotten.
    await this.free.set(key, this.freeFailures, FORGET_AFTER_SECONDS);
    return 0;
  }

  async forget(key: string): Promise<void> {
    const counts = [this.free, this.waits, this.failures];
    await Promise.all(counts.map((count) => count.delete(key)));
  }

  /** Takes back one attempt that succeeded, unless attempts have to wait already. */
  async excuse(key: string): Promise<void> {
    const counted = await this.free.get(key);
    if (counted && counted.consumedPoints < this.freeFailures) await this.free.reward(key, 1);
  }

  /** Takes back one attempt whose outcome is unknown, and the wait that it caused. */
  async takeBack(key: string): Promise<void> {
    const counted = await this.free.get(key);
    if (counted && counted.consumedPoints < this.freeFailures) return void (await this.free.reward(key, 1));
    const failures = (await this.failuresOf(key)) - 1;
    await this.failures.set(key, Math.max(failures, this.freeFailures - 1), FORGET_AFTER_SECONDS);
    await this.waits.delete(key);
  }

  private async failuresOf(key: string): Promise<number> {
    const known = await this.failures.get(key);
    return known && known.msBeforeNext > 0 ? known.consumedPoints : this.freeFailures - 1;
  }
}

async function refusalOf(attempt: Promise<RateLimiterRes>): Promise<RateLimiterRes | null> {
  try {
    await attempt;
    return null;
  } catch (rejection) {
    if (rejection instanceof RateLimiterRes) return rejection;
    throw rejection;
  }
}

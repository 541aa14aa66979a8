import { Injectable } from '@nestjs/common';
import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import { AttemptStore } from '../../database/attempt.store.js';
import { TooManyLogins } from './admin-auth.errors.js';

const FREE_FAILURES = 5;
const FIRST_WAIT_SECONDS = 5;
const LONGEST_WAIT_SECONDS = 15 * 60;
const FORGET_AFTER_SECONDS = 60 * 60;

/** How long an address has to wait after its last failure: at first not at all, then twice as long each time. */
export function waitAfterSeconds(failures: number): number {
  if (failures < FREE_FAILURES) return 0;
  return Math.min(FIRST_WAIT_SECONDS * 2 ** (failures - FREE_FAILURES), LONGEST_WAIT_SECONDS);
}

/** Slows down clients that guess passwords, by remote address. */
@Injectable()
export class LoginThrottle {
  /** Counts the first failures, after which nobody has to wait. */
  private readonly free: RateLimiterAbstract;
  /** Lets one attempt through, and no other until the wait is over. */
  private readonly waits: RateLimiterAbstract;
  /** Counts the waits, so that each is longer than the one before. */
  private readonly failures: RateLimiterAbstract;

  constructor(attempts: AttemptStore) {
    const limits = { points: FREE_FAILURES - 1, durationSeconds: FORGET_AFTER_SECONDS };
    this.free = attempts.open('login free', limits);
    this.waits = attempts.open('login waits', { points: 1, durationSeconds: LONGEST_WAIT_SECONDS });
    this.failures = attempts.open('login failures', limits);
  }

  /** Counts an attempt; to be called before a password is checked. @throws TooManyLogins */
  async begin(address: string): Promise<void> {
    // An attempt counts as failed until it succeeds, so that of many guesses sent at once not all get through.
    if ((await refusalOf(this.free.consume(address))) === null) return;
    const failures = (await this.failuresOf(address)) + 1;
    const refusal = await refusalOf(this.waits.consume(address, 1, { customDuration: waitAfterSeconds(failures) }));
    if (refusal) throw new TooManyLogins(Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)));
    await this.failures.set(address, failures, FORGET_AFTER_SECONDS);
    // There are no free attempts again until all failures are forgotten.
    await this.free.set(address, FREE_FAILURES, FORGET_AFTER_SECONDS);
  }

  async succeeded(address: string): Promise<void> {
    const counts = [this.free, this.waits, this.failures];
    await Promise.all(counts.map((count) => count.delete(address)));
  }

  private async failuresOf(address: string): Promise<number> {
    const known = await this.failures.get(address);
    return known && known.msBeforeNext > 0 ? known.consumedPoints : FREE_FAILURES - 1;
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

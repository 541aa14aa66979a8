import { Injectable } from '@nestjs/common';
import { TooManyLogins } from './admin-auth.errors.js';

const FREE_FAILURES = 5;
const FIRST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 15 * 60_000;
const FORGET_AFTER_MS = 60 * 60_000;
const MOST_ADDRESSES = 10_000;

interface Failures {
  count: number;
  lastAt: number;
}

/** How long after its last failure an address has to wait: nothing at first, then doubling. */
export function waitAfterMs(failures: number): number {
  if (failures < FREE_FAILURES) return 0;
  return Math.min(FIRST_WAIT_MS * 2 ** (failures - FREE_FAILURES), LONGEST_WAIT_MS);
}

/** Slows down whoever guesses passwords, by remote address. */
@Injectable()
export class LoginThrottle {
  private readonly addresses = new Map<string, Failures>();

  /** To be called before a password is checked. @throws TooManyLogins */
  begin(address: string, now: number): void {
    const { count, lastAt } = this.failuresOf(address, now);
    const waitMs = lastAt + waitAfterMs(count) - now;
    if (waitMs > 0) throw new TooManyLogins(Math.ceil(waitMs / 1000));
    // Counted as failed until it succeeds: many guesses sent at once must not all get through.
    this.addresses.delete(address);
    this.addresses.set(address, { count: count + 1, lastAt: now });
    this.forgetOldest();
  }

  succeeded(address: string): void {
    this.addresses.delete(address);
  }

  private failuresOf(address: string, now: number): Failures {
    const known = this.addresses.get(address);
    return known && now - known.lastAt < FORGET_AFTER_MS ? known : { count: 0, lastAt: 0 };
  }

  private forgetOldest(): void {
    const [oldest] = this.addresses.keys();
    if (this.addresses.size > MOST_ADDRESSES && oldest !== undefined) this.addresses.delete(oldest);
  }
}

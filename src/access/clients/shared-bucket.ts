import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { TokenBucket } from './token-bucket.js';

/** A token bucket of this process that is synchronised in the background with those of the other replicas. */
export class SharedBucket {
  private readonly bucket: TokenBucket;
  /** Tokens taken here that are not yet in the shared count. */
  private unsettled = 0;
  /** The shared count at the last synchronisation. */
  private counted = 0;
  /** When the shared count restarts. */
  private countedUntilMs = -Infinity;
  private isSettling = false;

  constructor(perMinute: number, nowMs: number) {
    this.bucket = new TokenBucket(perMinute, nowMs);
  }

  get perMinute(): number {
    return this.bucket.perMinute;
  }

  /** Returns how long to wait, in ms; 0 = the request may pass. */
  take(nowMs: number): number {
    const waitMs = this.bucket.take(nowMs);
    if (waitMs === 0) this.unsettled += 1;
    return waitMs;
  }

  /** Adds the tokens taken here to the shared count, and deducts those that others have added since the last time. */
  async settle(key: string, counter: RateLimiterAbstract, nowMs: number): Promise<void> {
    if (this.unsettled === 0 || this.isSettling) return;
    const own = this.unsettled;
    this.unsettled = 0;
    this.isSettling = true;
    try {
      const { consumedPoints, msBeforeNext } = await counter.penalty(key, own);
      // The shared count restarts each minute: all of it is then new.
      const isNewCount = consumedPoints < this.counted + own;
      this.bucket.deduct(consumedPoints - own - (isNewCount ? 0 : this.counted));
      this.counted = consumedPoints;
      this.countedUntilMs = nowMs + msBeforeNext;
    } catch (error) {
      this.unsettled += own;
      throw error;
    } finally {
      this.isSettling = false;
    }
  }

  isUnused(nowMs: number): boolean {
    const isCounted = nowMs < this.countedUntilMs;
    return this.unsettled === 0 && !this.isSettling && !isCounted && this.bucket.isFull(nowMs);
  }
}

const MINUTE_MS = 60_000;

/**
 * Lets `perMinute` requests pass each minute, as a burst after a quiet minute. Requests on other replicas are deducted later and
 * can make the balance negative: nothing passes until it has refilled.
 */
export class TokenBucket {
  private tokens: number;

  constructor(
    readonly perMinute: number,
    private filledAtMs: number,
  ) {
    this.tokens = perMinute;
  }

  /** Takes one token. Returns 0 if there was one, else the wait for the next one, in ms. */
  take(nowMs: number): number {
    this.fill(nowMs);
    if (this.tokens < 1) return ((1 - this.tokens) * MINUTE_MS) / this.perMinute;
    this.tokens -= 1;
    return 0;
  }

  /** Deducts tokens that were used elsewhere. The debt is limited to a minute's quota. */
  deduct(used: number): void {
    this.tokens = Math.max(this.tokens - used, -this.perMinute);
  }

  /** Returns whether the bucket is full, so that a new one would be equivalent. */
  isFull(nowMs: number): boolean {
    this.fill(nowMs);
    return this.tokens >= this.perMinute;
  }

  private fill(nowMs: number): void {
    // A clock that is set back changes nothing.
    const elapsedMs = Math.max(0, nowMs - this.filledAtMs);
    this.tokens = Math.min(this.perMinute, this.tokens + (elapsedMs * this.perMinute) / MINUTE_MS);
    this.filledAtMs = nowMs;
  }
}

const MINUTE_MS = 60_000;

/**
 * Lets `perMinute` requests pass each minute, and as many at once after a quiet minute. What others have taken is taken off
 * later, and may leave it owing: then it lets nothing pass until the debt is paid off by time.
 */
export class TokenBucket {
  private tokens: number;

  constructor(
    readonly perMinute: number,
    private filledAtMs: number,
  ) {
    this.tokens = perMinute;
  }

  /** Takes one token. Returns how long to wait for the next one, in ms, when there is none; 0 = it was taken. */
  take(nowMs: number): number {
    this.fill(nowMs);
    if (this.tokens < 1) return ((1 - this.tokens) * MINUTE_MS) / this.perMinute;
    this.tokens -= 1;
    return 0;
  }

  /** Takes off what was used elsewhere. It owes a minute's worth at most. */
  takeOff(used: number): void {
    this.tokens = Math.max(this.tokens - used, -this.perMinute);
  }

  /** Returns whether nothing was taken lately, so that a new bucket would be the same. */
  isFull(nowMs: number): boolean {
    this.fill(nowMs);
    return this.tokens >= this.perMinute;
  }

  private fill(nowMs: number): void {
    // A clock that is set back adds nothing, and takes nothing away.
    const elapsedMs = Math.max(0, nowMs - this.filledAtMs);
    this.tokens = Math.min(this.perMinute, this.tokens + (elapsedMs * this.perMinute) / MINUTE_MS);
    this.filledAtMs = nowMs;
  }
}

// Two buckets per doubling, from 1 ms to about 70 minutes: a percentile is at most 41 % too high.
const BUCKETS = 46;

/** Counts durations in fixed buckets, so that its memory does not grow. */
export class LatencyHistogram {
  private readonly counts = new Uint32Array(BUCKETS);
  private total = 0;

  record(durationMs: number): void {
    const bucket = Math.ceil(2 * Math.log2(Math.max(durationMs, 1)));
    const index = Math.min(bucket, BUCKETS - 1);
    this.counts[index] = (this.counts[index] ?? 0) + 1;
    this.total++;
  }

  /** The duration that this share of all stayed under, to the precision of the buckets; null without any. */
  percentileMs(share: number): number | null {
    if (this.total === 0) return null;
    let seen = 0;
    const index = this.counts.findIndex((count) => (seen += count) >= share * this.total);
    return Math.round(10 * 2 ** (index / 2)) / 10;
  }
}

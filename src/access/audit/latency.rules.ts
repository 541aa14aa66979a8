// Two classes per doubling, from 1 ms to about 70 minutes: a percentile is at most 41 % too high.
const CLASSES = 46;

/** Number of calls by class of duration; empty classes are left out. */
export type Latency = Record<number, number>;

export function latencyClass(durationMs: number): number {
  return Math.min(Math.max(Math.ceil(2 * Math.log2(Math.max(durationMs, 1))), 0), CLASSES - 1);
}

export function addLatency(sum: Latency, added: Latency): Latency {
  const total: Latency = { ...sum };
  for (const [name, calls] of Object.entries(added)) total[Number(name)] = (total[Number(name)] ?? 0) + calls;
  return total;
}

/**
 * Returns a percentile of the durations in milliseconds, to the precision of the classes; null when there are none. `share` is 0
 * to 1.
 */
export function percentileMs(latency: Latency, share: number): number | null {
  const classes = Object.entries(latency).sort(([left], [right]) => Number(left) - Number(right));
  const total = classes.reduce((sum, [, calls]) => sum + calls, 0);
  if (total === 0) return null;
  let seen = 0;
  const found = classes.find(([, calls]) => (seen += calls) >= share * total);
  return found ? Math.round(10 * 2 ** (Number(found[0]) / 2)) / 10 : null;
}

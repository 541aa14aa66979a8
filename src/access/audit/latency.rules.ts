// Two classes per doubling, from 1 ms to about 70 minutes: a percentile is at most 41 % too high.
const CLASSES = 46;

/** How many calls took how long, by class of duration; only classes with calls are there. */
export type Latency = Record<number, number>;

/** Returns the class that a duration belongs to. */
export function latencyClass(durationMs: number): number {
  return Math.min(Math.max(Math.ceil(2 * Math.log2(Math.max(durationMs, 1))), 0), CLASSES - 1);
}

export function addLatency(sum: Latency, added: Latency): Latency {
  const total: Latency = { ...sum };
  for (const [name, calls] of Object.entries(added)) total[Number(name)] = (total[Number(name)] ?? 0) + calls;
  return total;
}

/**
 * Returns the duration in milliseconds, to the precision of the classes, that `share` (0 to 1) of all durations do not
 * exceed; null when there are none.
 */
export function percentileMs(latency: Latency, share: number): number | null {
  const classes = Object.entries(latency).sort(([left], [right]) => Number(left) - Number(right));
  const total = classes.reduce((sum, [, calls]) => sum + calls, 0);
  if (total === 0) return null;
  let seen = 0;
  const found = classes.find(([, calls]) => (seen += calls) >= share * total);
  return found ? Math.round(10 * 2 ** (Number(found[0]) / 2)) / 10 : null;
}

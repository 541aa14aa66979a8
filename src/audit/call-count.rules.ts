import { addLatency, type Latency, latencyClass } from './latency.rules.js';

/** A call, as it is counted. */
export interface CountedCall {
  at: Date;
  tool: string;
  client: string;
  outcome: string;
  durationMs: number;
}

/** What calls are counted of. Only the counts of all calls are also kept by the minute. */
export type CountedOf = 'all' | 'tool' | 'client';
export type CountSpan = 'minute' | 'hour';

/** The number of calls with one outcome in one span of time. */
export interface CallCount {
  span: CountSpan;
  /** When the span begins. */
  at: string;
  of: CountedOf;
  name: string;
  outcome: string;
  calls: number;
  latency: Latency;
}

/** The name that calls of unknown tools are counted under: callers could invent any number of names. */
export const UNKNOWN_TOOL = '?';

/** Adds calls up to counts, one for each combination of the columns. */
export function countsOf(calls: readonly CountedCall[]): CallCount[] {
  const counts = new Map<string, CallCount>();
  for (const call of calls) {
    const tool = call.outcome === 'unknown' ? UNKNOWN_TOOL : call.tool;
    addOne(counts, call, { span: 'minute', of: 'all', name: '' });
    addOne(counts, call, { span: 'hour', of: 'all', name: '' });
    addOne(counts, call, { span: 'hour', of: 'tool', name: tool });
    addOne(counts, call, { span: 'hour', of: 'client', name: call.client });
  }
  return [...counts.values()];
}

/** Returns which counts can be added up to one. */
export const countKey = ({ span, at, of, name, outcome }: Omit<CallCount, 'calls' | 'latency'>): string =>
  JSON.stringify([span, of, name, at, outcome]);

/** Returns the sum of two counts of the same key. */
export const addCounts = (left: CallCount, right: CallCount): CallCount => ({
  ...left,
  calls: left.calls + right.calls,
  latency: addLatency(left.latency, right.latency),
});

/** Returns the beginning of the minute or hour that a time belongs to. */
export function beginningOf(at: Date, span: CountSpan): string {
  const spanMs = span === 'minute' ? 60_000 : 3_600_000;
  return new Date(Math.floor(at.getTime() / spanMs) * spanMs).toISOString();
}

function addOne(
  counts: Map<string, CallCount>,
  { at, outcome, durationMs }: CountedCall,
  place: Pick<CallCount, 'span' | 'of' | 'name'>,
): void {
  const count = { ...place, at: beginningOf(at, place.span), outcome };
  const key = countKey(count);
  const known = counts.get(key);
  if (known) {
    known.calls += 1;
    const latency = latencyClass(durationMs);
    known.latency[latency] = (known.latency[latency] ?? 0) + 1;
    return;
  }
  counts.set(key, { ...count, calls: 1, latency: { [latencyClass(durationMs)]: 1 } });
}

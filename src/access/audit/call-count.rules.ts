import { addLatency, type Latency, latencyClass } from './latency.rules.js';

/** A call of a tool, or another use of a skill package, for the statistics. */
export interface CountedCall {
  at: Date;
  tool: string | null; // null = no tool was called
  skill: string | null;
  client: string;
  outcome: string;
  /** Duration; of several calls, that of the last one. */
  durationMs: number;
  count: number;
}

/** What calls are counted by. For a skill, all its uses count. Only the counts of all calls are also kept by the minute. */
export const COUNTED_OF = ['all', 'tool', 'client', 'skill'] as const;
export type CountedOf = (typeof COUNTED_OF)[number];
export type CountSpan = 'minute' | 'hour';

/** The number of calls with one outcome in one span of time. */
export interface CallCount {
  span: CountSpan;
  /** Start of the span. */
  at: string;
  of: CountedOf;
  name: string;
  outcome: string;
  calls: number;
  latency: Latency;
}

/** The name under which calls of unknown tools are counted: callers could invent any number of names. */
export const UNKNOWN_TOOL = '?';

/** Aggregates calls into counts, one for each combination of the columns. */
export function countsOf(calls: readonly CountedCall[]): CallCount[] {
  const counts = new Map<string, CallCount>();
  for (const { at, tool, skill, client, outcome, latency } of groupsOf(calls)) {
    const hour = { span: 'hour', at: beginningOf(at, 'hour'), outcome, latency } as const;
    if (skill !== null) add(counts, { ...hour, of: 'skill', name: skill });
    if (tool === null) continue;
    add(counts, { ...hour, span: 'minute', at: beginningOf(at, 'minute'), of: 'all', name: '' });
    add(counts, { ...hour, of: 'all', name: '' });
    add(counts, { ...hour, of: 'tool', name: outcome === 'unknown' ? UNKNOWN_TOOL : tool });
    add(counts, { ...hour, of: 'client', name: client });
  }
  return [...counts.values()];
}

/** Returns a key: counts with the same key can be added up. */
export const countKey = ({ span, at, of, name, outcome }: Omit<CallCount, 'calls' | 'latency'>): string =>
  JSON.stringify([span, of, name, at, outcome]);

/** Returns the sum of two counts of the same key. */
export const addCounts = (left: CallCount, right: CallCount): CallCount => ({
  ...left,
  calls: left.calls + right.calls,
  latency: addLatency(left.latency, right.latency),
});

/** Returns the start of the minute or hour of a time. */
export function beginningOf(at: Date, span: CountSpan): string {
  const spanMs = span === 'minute' ? 60_000 : 3_600_000;
  return new Date(Math.floor(at.getTime() / spanMs) * spanMs).toISOString();
}

interface CallGroup extends Omit<CountedCall, 'durationMs' | 'count'> {
  latency: Latency;
}

/** Groups the calls of a minute that differ only in their duration: a batch has few such groups. */
function groupsOf(calls: readonly CountedCall[]): Iterable<CallGroup> {
  const groups = new Map<string, CallGroup>();
  for (const { at, outcome, tool, skill, client, durationMs, count } of calls) {
    const key = `${Math.floor(at.getTime() / 60_000)}\n${outcome}\n${tool}\n${skill}\n${client}`;
    let group = groups.get(key);
    if (!group) groups.set(key, (group = { at, outcome, tool, skill, client, latency: {} }));
    const latency = latencyClass(durationMs);
    group.latency[latency] = (group.latency[latency] ?? 0) + count;
  }
  return groups.values();
}

function add(counts: Map<string, CallCount>, added: Omit<CallCount, 'calls'>): void {
  const calls = Object.values(added.latency).reduce((sum, count) => sum + count, 0);
  const key = countKey(added);
  const known = counts.get(key);
  counts.set(key, known ? addCounts(known, { ...added, calls }) : { ...added, calls });
}

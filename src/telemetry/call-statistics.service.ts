import { Injectable } from '@nestjs/common';
import type { ToolCalled, ToolOutcome } from '../events/app-events.js';
import { EventBus } from '../events/event-bus.service.js';

const MINUTES = 60;
const MINUTE_MS = 60_000;
const LATEST_ERRORS = 50;
const MOST_TOOLS = 5000;
/** Characters that are kept of a message, which may repeat what a caller sent; enough to see what went wrong. */
const LONGEST_MESSAGE = 1000;

export interface MinuteOfCalls {
  at: Date;
  calls: number;
  errors: number;
  p50Ms: number | null; // null = no calls
  p95Ms: number | null;
}

export interface ToolTotals {
  calls: number;
  errors: number;
}

/** A call that failed. */
export interface FailedCall {
  tool: string;
  client: string;
  outcome: ToolOutcome;
  durationMs: number;
  message: string | null;
  at: Date;
}

interface Minute extends ToolTotals {
  number: number;
  latency: LatencyHistogram;
}

/**
 * Counts the tool calls of this process: the last hour by minute, totals by tool since the start, the latest errors.
 */
@Injectable()
export class CallStatistics {
  private readonly ring = new Array<Minute | undefined>(MINUTES);
  private readonly tools = new Map<string, ToolTotals>();
  private readonly errors: FailedCall[] = [];

  constructor(events: EventBus) {
    events.on('tool.called', (call) => this.record(call));
  }

  /** Returns the last 60 minutes, the current one last. */
  lastHour(now: Date): MinuteOfCalls[] {
    const current = minuteOf(now);
    return Array.from({ length: MINUTES }, (_, index) => {
      const number = current - MINUTES + 1 + index;
      const minute = this.ring[number % MINUTES];
      const at = new Date(number * MINUTE_MS);
      if (minute?.number !== number) return { at, calls: 0, errors: 0, p50Ms: null, p95Ms: null };
      const { calls, errors, latency } = minute;
      return { at, calls, errors, p50Ms: latency.percentileMs(0.5), p95Ms: latency.percentileMs(0.95) };
    });
  }

  totalsOf(tool: string): ToolTotals {
    return this.tools.get(tool) ?? { calls: 0, errors: 0 };
  }

  /** Returns at most 50 failed calls, the latest first. */
  latestErrors(): readonly FailedCall[] {
    return this.errors;
  }

  private record(call: ToolCalled): void {
    const isError = call.outcome !== 'ok' && call.outcome !== 'cancelled';
    const minute = this.minuteAt(minuteOf(call.at));
    minute.latency.record(call.durationMs);
    count(minute, isError);
    count(this.toolNamed(call.tool), isError);
    if (!isError) return;
    const { tool, client, outcome, durationMs, message, at } = call;
    this.errors.unshift({ tool, client: client.name, outcome, durationMs, message: message && shortened(message), at });
    if (this.errors.length > LATEST_ERRORS) this.errors.pop();
  }

  private minuteAt(number: number): Minute {
    const known = this.ring[number % MINUTES];
    if (known?.number === number) return known;
    const minute = { number, calls: 0, errors: 0, latency: new LatencyHistogram() };
    this.ring[number % MINUTES] = minute;
    return minute;
  }

  private toolNamed(name: string): ToolTotals {
    const known = this.tools.get(name);
    if (known) return known;
    const totals = { calls: 0, errors: 0 };
    // Names come from callers, so the oldest is dropped rather than letting the map grow without limit.
    const [oldest] = this.tools.keys();
    if (this.tools.size >= MOST_TOOLS && oldest !== undefined) this.tools.delete(oldest);
    this.tools.set(name, totals);
    return totals;
  }
}

const shortened = (message: string): string =>
  message.length <= LONGEST_MESSAGE ? message : `${message.slice(0, LONGEST_MESSAGE).toWellFormed()}…`;

const minuteOf = (at: Date): number => Math.floor(at.getTime() / MINUTE_MS);

function count(totals: ToolTotals, isError: boolean): void {
  totals.calls++;
  if (isError) totals.errors++;
}

// Two buckets per doubling, from 1 ms to about 70 minutes: a percentile is at most 41 % too high.
const BUCKETS = 46;

/** Counts durations in fixed buckets, so that its memory does not grow. */
class LatencyHistogram {
  private readonly counts = new Uint32Array(BUCKETS);
  private total = 0;

  record(durationMs: number): void {
    const bucket = Math.ceil(2 * Math.log2(Math.max(durationMs, 1)));
    const index = Math.min(bucket, BUCKETS - 1);
    this.counts[index] = (this.counts[index] ?? 0) + 1;
    this.total++;
  }

  /**
   * Returns the duration in milliseconds, to the precision of the buckets, that `share` (0 to 1) of all durations do
   * not exceed; null when there are none.
   */
  percentileMs(share: number): number | null {
    if (this.total === 0) return null;
    let seen = 0;
    const index = this.counts.findIndex((count) => (seen += count) >= share * this.total);
    return Math.round(10 * 2 ** (index / 2)) / 10;
  }
}

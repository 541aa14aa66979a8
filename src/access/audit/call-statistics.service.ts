import { Injectable } from '@nestjs/common';
import { ADMIN_CLIENT, type AuditItem } from './audit-entry.js';
import { AuditReader } from './audit-reader.service.js';
import { beginningOf, type CallCount, type CountedOf } from './call-count.rules.js';
import { CallCountStore, type SkillUses } from './call-count.store.js';
import { addLatency, type Latency, percentileMs } from './latency.rules.js';

export const PERIODS = ['hour', 'day', 'week'] as const;
export type Period = (typeof PERIODS)[number];

/** The calls that started in one part of a period. */
export interface SpanOfCalls extends CallTotals {
  at: Date;
  p50Ms: number | null; // null = no calls
  p95Ms: number | null;
}

export interface CallTotals {
  calls: number;
  errors: number;
  denied: number;
}

/** The parts of a period: their number, length, and source counts. */
const PARTS = {
  hour: { count: 60, partMs: 60_000, span: 'minute', spanMs: 60_000 },
  day: { count: 24, partMs: 3_600_000, span: 'hour', spanMs: 3_600_000 },
  week: { count: 28, partMs: 6 * 3_600_000, span: 'hour', spanMs: 3_600_000 },
  month: { count: 30, partMs: 24 * 3_600_000, span: 'hour', spanMs: 3_600_000 }, // for totals only
} as const satisfies Record<Period | 'month', object>;
const LATEST_ERRORS = 50;
const ERRORS = ['error', 'invalid', 'denied', 'unknown', 'timeout'];

/** Statistics of the calls of clients on all replicas, since the log began. Calls of administrators are not counted. */
@Injectable()
export class CallStatistics {
  constructor(
    private readonly counts: CallCountStore,
    private readonly entries: AuditReader,
  ) {}

  /** Returns the parts of a period, the current one last. */
  async spans(period: Period, now: Date): Promise<SpanOfCalls[]> {
    const { count, partMs, span } = PARTS[period];
    const start = startOf(period, now).getTime();
    const rows = await this.counts.list({ span, of: 'all', from: new Date(start) });
    return Array.from({ length: count }, (_part, index) => {
      const at = new Date(start + index * partMs);
      const end = at.getTime() + partMs;
      return spanOf(
        at,
        rows.filter((row) => Date.parse(row.at) >= at.getTime() && Date.parse(row.at) < end),
      );
    });
  }

  /** Returns the totals of a period, by tool, client or skill package; for `hour`, of the current and the previous hour. */
  async totals(of: CountedOf, period: Period | 'month', now: Date): Promise<Map<string, CallTotals>> {
    const totals = new Map<string, CallTotals>();
    const from = new Date(beginningOf(startOf(period, now), 'hour'));
    for (const row of await this.counts.sum({ of, from }))
      totals.set(row.name, added(totals.get(row.name) ?? NONE, row));
    return totals;
  }

  /** Returns how often skill packages were used from one hour until before another. */
  skillUses(of: { from: Date; to: Date; name?: string }): Promise<SkillUses[]> {
    return this.counts.sumUses(of);
  }

  /** Returns at most 50 calls of clients in a period that failed or were refused, the latest first. */
  async latestErrors(period: Period, now: Date): Promise<AuditItem[]> {
    let latest: AuditItem[] = [];
    let from = startOf(period, now);
    for (const outcome of ERRORS) {
      const wanted = { outcome, kind: 'call', from, exceptClient: ADMIN_CLIENT.name } as const;
      const { items } = await this.entries.listPage({ ...wanted, limit: LATEST_ERRORS });
      latest = [...latest, ...items].sort((left, right) => right.seq - left.seq).slice(0, LATEST_ERRORS);
      // Earlier entries are not among the latest: a rare outcome would be looked for in the whole period.
      if (latest.length === LATEST_ERRORS) from = new Date(Math.min(...latest.map(({ at }) => Date.parse(at))));
    }
    return latest;
  }
}

const NONE: CallTotals = { calls: 0, errors: 0, denied: 0 };

/** Returns the start of the period whose last part is the current minute or hour. */
function startOf(period: Period | 'month', now: Date): Date {
  const { count, partMs, span, spanMs } = PARTS[period];
  return new Date(Date.parse(beginningOf(now, span)) + spanMs - count * partMs);
}

function spanOf(at: Date, rows: readonly CallCount[]): SpanOfCalls {
  const latency = rows.reduce<Latency>((sum, row) => addLatency(sum, row.latency), {});
  return { at, ...rows.reduce(added, NONE), p50Ms: percentileMs(latency, 0.5), p95Ms: percentileMs(latency, 0.95) };
}

const added = ({ calls, errors, denied }: CallTotals, row: Pick<CallCount, 'outcome' | 'calls'>): CallTotals => ({
  calls: calls + row.calls,
  errors: errors + (ERRORS.includes(row.outcome) ? row.calls : 0),
  denied: denied + (row.outcome === 'denied' ? row.calls : 0),
});

import type { Schemas } from '../../api/client';
import type { Period } from '../../api/overview';
import { countOf, formatMs } from '../../text/format';

export type Span = Schemas['CallSpan'];

/** The part of a period that one bar of a chart shows. */
export const PART_OF: Record<Period, string> = { hour: 'minute', day: 'hour', week: 'six hours' };

/** Charts are drawn in units of one part of the period (width), and are 100 units high. */
export const CHART_HEIGHT = 100;

/** Returns a round number at or above the highest value: 1, 2 or 5 times a power of ten. */
export function axisMaximum(values: readonly number[]): number {
  const highest = Math.max(0, ...values);
  if (highest === 0) return 1;
  const power = 10 ** Math.floor(Math.log10(highest));
  const step = [1, 2, 5, 10].find((factor) => factor * power >= highest) ?? 10;
  return step * power;
}

/** Returns the SVG path of a line through the values, interrupted at parts without a value. */
export function linePath(values: readonly (number | null)[], maximum: number): string {
  return values
    .map((value, index) => {
      if (value === null) return '';
      return `${isKnown(values[index - 1]) ? 'L' : 'M'}${pointAt(index, value, maximum)}`;
    })
    .join('');
}

/** Returns the SVG path of dots for values that have no neighbour to draw a line to. */
export function dotsPath(values: readonly (number | null)[], maximum: number): string {
  return values
    .map((value, index) => {
      if (value === null || isKnown(values[index - 1]) || isKnown(values[index + 1])) return '';
      return `M${pointAt(index, value, maximum)}h0`;
    })
    .join('');
}

const pointAt = (index: number, value: number, maximum: number) =>
  `${index + 0.5} ${round(CHART_HEIGHT - (value / maximum) * CHART_HEIGHT)}`;

/** Describes the chart of calls in words. */
export function describeCalls(spans: readonly Span[], period: Period): string {
  const calls = sum(spans.map((span) => span.calls));
  if (calls === 0) return `No calls in the last ${period}.`;
  const errors = sum(spans.map((span) => span.errors));
  const busiest = Math.max(...spans.map((span) => span.calls));
  return `${countOf(calls, 'call')} in the last ${period}, ${countOf(errors, 'error')}; at most ${countOf(busiest, 'call')} in ${aPart(period)}.`;
}

/** Describes the chart of latency in words. */
export function describeLatency(spans: readonly Span[], period: Period): string {
  const latest = spans.findLast(({ p50Ms }) => p50Ms !== null);
  if (!latest || latest.p50Ms === null || latest.p95Ms === null) return `No calls in the last ${period}.`;
  const worst = Math.max(...spans.map(({ p95Ms }) => p95Ms ?? 0));
  return `In the latest ${PART_OF[period]} with calls, half took at most ${formatMs(latest.p50Ms)} and 95 % at most ${formatMs(latest.p95Ms)}; the worst ${PART_OF[period]} of the ${period}: ${formatMs(worst)}.`;
}

const aPart = (period: Period): string => ({ hour: 'a minute', day: 'an hour', week: 'six hours' })[period];
const isKnown = (value: number | null | undefined) => value !== null && value !== undefined;
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const round = (value: number) => Math.round(value * 100) / 100;

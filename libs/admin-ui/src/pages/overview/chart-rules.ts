import type { Schemas } from '../../api/client';
import { countOf, formatMs } from '../../text/format';

export type Minute = Schemas['CallMinute'];

/** Charts are drawn in units of one minute (width), and are 100 units high. */
export const CHART_HEIGHT = 100;

/** Returns a round number at or above the highest value: 1, 2 or 5 times a power of ten. */
export function axisMaximum(values: readonly number[]): number {
  const highest = Math.max(0, ...values);
  if (highest === 0) return 1;
  const power = 10 ** Math.floor(Math.log10(highest));
  const step = [1, 2, 5, 10].find((factor) => factor * power >= highest) ?? 10;
  return step * power;
}

/** Returns the SVG path of a line through the values, interrupted at minutes without a value. */
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
export function describeCalls(minutes: readonly Minute[]): string {
  const calls = sum(minutes.map((minute) => minute.calls));
  if (calls === 0) return 'No calls in the last hour.';
  const errors = sum(minutes.map((minute) => minute.errors));
  const busiest = Math.max(...minutes.map((minute) => minute.calls));
  return `${countOf(calls, 'call')} in the last hour, ${countOf(errors, 'error')}; at most ${countOf(busiest, 'call')} in a minute.`;
}

/** Describes the chart of latency in words. */
export function describeLatency(minutes: readonly Minute[]): string {
  const latest = minutes.findLast(({ p50Ms }) => p50Ms !== null);
  if (!latest || latest.p50Ms === null || latest.p95Ms === null) return 'No calls in the last hour.';
  const worst = Math.max(...minutes.map(({ p95Ms }) => p95Ms ?? 0));
  return `In the latest minute with calls, half took at most ${formatMs(latest.p50Ms)} and 95 % at most ${formatMs(latest.p95Ms)}; the worst minute of the hour: ${formatMs(worst)}.`;
}

const isKnown = (value: number | null | undefined) => value !== null && value !== undefined;
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const round = (value: number) => Math.round(value * 100) / 100;

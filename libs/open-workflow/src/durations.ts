import type { Json } from './json.js';
import { standardError } from './workflow-error.js';

const MS = {
  years: 365 * 86_400_000,
  months: 30 * 86_400_000,
  weeks: 7 * 86_400_000,
  days: 86_400_000,
  hours: 3_600_000,
  minutes: 60_000,
  seconds: 1000,
  milliseconds: 1,
} as const;

const NUMBER = String.raw`(\d{1,15}(?:[.,]\d{1,9})?)`;
const ISO_8601 = new RegExp(
  `^P(?:${NUMBER}Y)?(?:${NUMBER}M)?(?:${NUMBER}W)?(?:${NUMBER}D)?(?:T(?:${NUMBER}H)?(?:${NUMBER}M)?(?:${NUMBER}S)?)?$`,
);
const UNITS = ['years', 'months', 'weeks', 'days', 'hours', 'minutes', 'seconds'] as const;
/** A hundred years. Longer durations are capped, so that all computed times stay in range. */
const LONGEST_MS = 100 * MS.years;

/**
 * Converts a DSL duration, an ISO 8601 text or an object of units, to milliseconds. Years count 365 days, months 30.
 * @throws WorkflowError (expression) when it is not a duration
 */
export function durationMs(duration: Json): number {
  const parts = typeof duration === 'string' ? partsOf(duration) : duration;
  if (typeof parts !== 'object' || parts === null || Array.isArray(parts)) throw noDuration(duration);
  let sum = 0;
  for (const [unit, amount] of Object.entries(parts)) {
    if (amount === undefined) continue;
    if (!Object.hasOwn(MS, unit) || typeof amount !== 'number' || !(amount >= 0)) throw noDuration(duration);
    sum += amount * MS[unit as keyof typeof MS];
  }
  return Math.min(Math.round(sum), LONGEST_MS);
}

/** An RFC 3339 time (section 5.6): the offset is required. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/i;

/** Parses a time to milliseconds since 1970; null when it is not a time. */
export function timeOf(text: Json): number | null {
  const written = typeof text === 'string' ? text.trim() : '';
  const time = TIME.test(written) && isDay(written.slice(0, 10)) ? Date.parse(written) : NaN;
  return Number.isNaN(time) ? null : time;
}

/** Date reads 30 February as 2 March. */
function isDay(day: string): boolean {
  const ms = Date.parse(day);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day);
}

/**
 * Returns the milliseconds from a moment until a time: 0 when it has passed, a hundred years at most.
 * @throws WorkflowError (expression) when it is not a time
 */
export function msUntil(time: Json): (now: Date) => number {
  const at = timeOf(time);
  if (at === null) throw noTime(time);
  return (now) => Math.min(Math.max(0, at - now.getTime()), LONGEST_MS);
}

function partsOf(text: string): Json {
  const match = text.length < 200 ? ISO_8601.exec(text.trim()) : null;
  const amounts = match?.slice(1) ?? [];
  if (amounts.every((amount) => amount === undefined)) return null;
  return Object.fromEntries(UNITS.map((unit, index) => [unit, Number((amounts[index] ?? '0').replace(',', '.'))]));
}

const noDuration = (duration: Json) =>
  standardError(
    'expression',
    `${JSON.stringify(duration)?.slice(0, 200)} is no duration. Write ISO 8601, such as PT5M, or units, such as { minutes: 5 }.`,
  );

const noTime = (time: Json) =>
  standardError(
    'expression',
    `${JSON.stringify(time).slice(0, 200)} is no time. Write RFC 3339, with Z or an offset, such as 2026-12-24T08:00:00+01:00.`,
  );

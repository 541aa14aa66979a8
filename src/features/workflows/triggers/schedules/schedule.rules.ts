import { Cron } from 'croner';
import { durationMs, type WorkflowDefinition } from '#open-workflow';

/** The times at which a workflow is started automatically. */
export type Timetable =
  | { kind: 'cron'; pattern: string; timeZone: string }
  /** At the multiples of this time since 1970, so that all replicas use the same times. */
  | { kind: 'every'; everyMs: number }
  /** This long after the end of the previous run. */
  | { kind: 'after'; afterMs: number };

/** A timetable whose times do not depend on runs. */
export type FixedTimetable = Exclude<Timetable, { kind: 'after' }>;

/** Which missed starts are run later: none, the last one, or all, up to a limit. */
export type CatchUp = 'none' | 'last' | 'all';

export interface DueTicks {
  start: Date[];
  /** Times that are skipped. */
  skipped: TickCount;
  /** The next time; null = no more. */
  next: Date | null;
}

/** A number of times; at most `MOST_COUNTED` are counted. */
export interface TickCount {
  count: number;
  isMore: boolean;
}

const SHORTEST_MS = 1_000;
const LONGEST_TEXT = 200;
const MOST_COUNTED = 200;
/** Maximum delay of a start, for when the process is busy or the database briefly unavailable. */
export const GRACE_MS = 60_000;
/** An end that is further ahead was recorded by a clock that has been set back since. */
const LARGEST_SKEW_MS = 3_600_000;
/** Maximum number of missed times to run later. */
export const MOST_CAUGHT_UP = 100;

/** Returns the timetables of a workflow, without invalid ones. */
export function timetablesOf({ document, schedule = {} }: WorkflowDefinition): Timetable[] {
  const { cron, every, after } = schedule;
  const zone = document.metadata?.['timezone'];
  return [
    ...(cron === undefined ? [] : readable(() => cronTimetable(cron, typeof zone === 'string' ? zone : 'UTC'))),
    ...(every === undefined
      ? []
      : readable(() => ({ kind: 'every', everyMs: Math.max(durationMs(every), SHORTEST_MS) }))),
    ...(after === undefined
      ? []
      : readable(() => ({ kind: 'after', afterMs: Math.max(durationMs(after), SHORTEST_MS) }))),
  ];
}

/** Returns the setting of a workflow for missed times. */
export function catchUpOf({ document }: WorkflowDefinition): CatchUp {
  const catchUp = document.metadata?.['catchUp'];
  return catchUp === 'none' || catchUp === 'all' ? catchUp : 'last';
}

/** Returns the first time after another; null = none. */
export const nextTick = (timetable: FixedTimetable, after: Date): Date | null => tickerOf(timetable)(after);

/** Returns a function that finds the first time after another. */
function tickerOf(timetable: FixedTimetable): (after: Date) => Date | null {
  if (timetable.kind === 'every') {
    const { everyMs } = timetable;
    return (after) => new Date((Math.floor(after.getTime() / everyMs) + 1) * everyMs);
  }
  const cron = new Cron(timetable.pattern, { timezone: timetable.timeZone, paused: true });
  return (after) => cron.nextRun(after);
}

/** Counts the times after one moment, up to and including another. */
export function countTicks(timetable: FixedTimetable, after: Date, until: Date): TickCount {
  let count = 0;
  const next = tickerOf(timetable);
  for (let tick = next(after); tick && tick <= until; tick = next(tick)) {
    if (count === MOST_COUNTED) return { count, isMore: true };
    count += 1;
  }
  return { count, isMore: false };
}

/** Returns the last times up to and including one, in order. @param most maximum number */
export function lastTicks(timetable: FixedTimetable, until: Date, most: number): Date[] {
  if (timetable.kind === 'every') {
    const last = Math.floor(until.getTime() / timetable.everyMs);
    return Array.from({ length: most }, (_, index) => new Date((last - most + 1 + index) * timetable.everyMs));
  }
  const cron = new Cron(timetable.pattern, { timezone: timetable.timeZone, paused: true });
  return cron.previousRuns(most, new Date(until.getTime() + 1)).reverse();
}

/** Decides about the times from `next` up to now. A time that is late by at most `GRACE_MS` is not missed. */
export function dueTicks(timetable: FixedTimetable, next: Date, now: Date, catchUp: CatchUp): DueTicks {
  const inTime: Date[] = [];
  const tooLate = new Date(now.getTime() - GRACE_MS - 1);
  let tick: Date | null = next <= tooLate ? nextTick(timetable, tooLate) : next;
  for (; tick && tick <= now; tick = nextTick(timetable, tick)) inTime.push(tick);
  if (next > tooLate) return { start: inTime, skipped: NONE, next: tick };
  const missed = countTicks(timetable, new Date(next.getTime() - 1), tooLate);
  const wanted = { none: 0, last: inTime.length === 0 ? 1 : 0, all: MOST_CAUGHT_UP }[catchUp];
  const late = wanted === 0 ? [] : lastTicks(timetable, tooLate, wanted).filter((time) => time >= next);
  return {
    start: [...late, ...inTime],
    skipped: { count: missed.count - late.length, isMore: missed.isMore },
    next: tick,
  };
}

/** The last run of a workflow that is restarted some time after its end. */
export interface LastRun {
  id: string;
  endedAt: Date | null;
}

/**
 * Returns when such a workflow is started again, and the name of that start, which is the same on all replicas.
 * @param last null = never run
 * @returns null while it runs
 */
export function startAfter(afterMs: number, last: LastRun | null, now: Date): { at: Date; name: string } | null {
  if (last === null) return { at: now, name: 'first' };
  if (last.endedAt === null) return null;
  if (last.endedAt.getTime() > now.getTime() + LARGEST_SKEW_MS) return { at: now, name: `after ${last.id}` };
  return { at: new Date(last.endedAt.getTime() + afterMs), name: `after ${last.id}` };
}

const NONE: TickCount = { count: 0, isMore: false };

function cronTimetable(pattern: string, timeZone: string): Timetable {
  if (pattern.length > LONGEST_TEXT || timeZone.length > LONGEST_TEXT) throw new Error('too long');
  const timetable: Timetable = { kind: 'cron', pattern, timeZone };
  nextTick(timetable, new Date(0)); // throws when it is invalid
  return timetable;
}

function readable(read: () => Timetable): Timetable[] {
  try {
    return [read()];
  } catch {
    return [];
  }
}

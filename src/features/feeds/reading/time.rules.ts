import { findClocks, type FoundClock, isClock } from './times/clock.rules.js';
import type { DateOrder } from './times/date-order.rules.js';
import { findDate } from './times/date.rules.js';
import { foldedTime, toTimeText } from './times/time-text.rules.js';
import { findZone, toInstantMs, type Zone } from './times/zone.rules.js';

const SECONDS = /^(\d{10})(?:\.\d+)?$/;
const MILLISECONDS = /^(\d{13})(?:\.0*)?$/;
// ASP.NET: /Date(1724625480000-0500)/
const ASP_NET = /^\\?\/date\((\d{1,14})(?:[+-]\d{4})?\)\\?\/$/i;
const MONTH_ONLY = /^(\d{4})(?:[-/](\d{2}))?$/;
const DATE_WITH_ZONE = /^(\d{4}-\d{2}-\d{2})(z|[+-]\d{2}:\d{2})$/;
const EARLIEST = Date.UTC(1970, 0, 2);
const LATEST = Date.UTC(2100, 0, 1);

/**
 * Parses a time as feeds write it: RFC 822, RFC 3339, the output of programming languages, and what people write in about sixty
 * languages. Without a zone, it is in UTC. Returns null when it is not a time.
 */
export function parseFeedTime(given: string, order?: DateOrder): Date | null {
  const { text, notes } = toTimeText(given);
  const [, seconds] = SECONDS.exec(text) ?? [];
  if (seconds !== undefined) return inRange(Number(seconds) * 1000);
  const [, milliseconds] = MILLISECONDS.exec(text) ?? ASP_NET.exec(foldedTime(given.slice(0, 100))) ?? [];
  if (milliseconds !== undefined) return inRange(Number(milliseconds));
  const [, year, month = '01'] = MONTH_ONLY.exec(text) ?? [];
  const whole = year === undefined ? text : `${year}-${month}-01`;
  for (const clock of findClocks(whole)) {
    // An impossible time of day is a mistake, unless it was part of the date.
    const ms = isClock(clock) ? timeOf(clock, notes, order) : null;
    if (ms !== null) return inRange(ms);
    if (/:/.test(whole)) return null;
  }
  return atMidnight(whole, order);
}

function timeOf(clock: FoundClock, notes: readonly string[], order: DateOrder | undefined): number | null {
  const found = findZone(clock.after);
  const after = found ? clock.after.slice(found.length) : clock.after;
  const date = findDate(`${clock.before} ${after}`, order);
  return date && toInstantMs({ ...clock, ...date }, found?.zone ?? zoneIn(notes));
}

function atMidnight(text: string, order: DateOrder | undefined): Date | null {
  const [, day = text, zone = ''] = DATE_WITH_ZONE.exec(text) ?? [];
  const date = findDate(day, order);
  const midnight = { hour: 0, minute: 0, second: 0 };
  return date && inRange(toInstantMs({ ...date, ...midnight }, findZone(zone)?.zone ?? null));
}

// 17:38:00 (EDT), 17:38:00[Europe/Berlin]
function zoneIn(notes: readonly string[]): Zone | null {
  for (const note of notes) {
    const found = findZone(note);
    if (found) return found.zone;
  }
  return null;
}

// A time outside the range is a placeholder (0001-01-01) or a mistake.
const inRange = (ms: number): Date | null => (ms >= EARLIEST && ms < LATEST ? new Date(ms) : null);

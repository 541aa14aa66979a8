import { isISO8601 } from 'class-validator';

/** A day, or a time with or without a zone, as ISO 8601 and RFC 3339 write them; the day need not exist. */
export const MOMENT = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;
const ZONE = /(?:Z|[+-]\d\d:?\d\d)$/;

/** Returns the start of a day in UTC, or a time, in UTC unless it has a zone; null when it does not exist. */
export function momentOf(written: string): Date | null {
  const standard = written.replace(' ', 'T');
  if (!MOMENT.test(written) || !isISO8601(standard, { strict: true })) return null;
  const isTime = standard.includes('T');
  const moment = new Date(isTime && !ZONE.test(standard) ? `${standard}Z` : standard);
  return Number.isNaN(moment.getTime()) ? null : moment;
}

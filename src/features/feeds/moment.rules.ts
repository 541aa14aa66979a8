import { isISO8601 } from 'class-validator';

/** A day, or a time with or without a zone, as ISO 8601 writes them; there need not be such a day. */
export const MOMENT = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;
const ZONE = /(?:Z|[+-]\d\d:?\d\d)$/;

/** Returns the beginning of a day in UTC, or a time, which is in UTC unless it says otherwise; null when there is none such. */
export function momentOf(written: string): Date | null {
  if (!MOMENT.test(written) || !isISO8601(written, { strict: true })) return null;
  const isTime = written.includes('T');
  const moment = new Date(isTime && !ZONE.test(written) ? `${written}Z` : written);
  return Number.isNaN(moment.getTime()) ? null : moment;
}

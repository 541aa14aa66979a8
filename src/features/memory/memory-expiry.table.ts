import { type RawBuilder, sql } from 'kysely';

/**
 * The condition that an entry has not expired. Without an `or`, for which SQLite would gather all entries by when they
 * expire, instead of walking along an index that has them in the order of the list.
 */
export const isAlive = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`coalesce(expires_at, ${NEVER}) > ${now.toISOString()}`;

/** Later than any time. */
const NEVER = '9999';

import { type RawBuilder, sql } from 'kysely';

/**
 * The condition that an entry has not expired. Without an `or`, because SQLite would then read all entries by expiry instead of
 * walking an index in the order of the list.
 */
export const isAlive = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`coalesce(expires_at, ${NEVER}) > ${now.toISOString()}`;

/** Later than any time. */
const NEVER = '9999';

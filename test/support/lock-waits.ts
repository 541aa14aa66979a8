import { sql } from 'kysely';
import type { Database } from '../../src/platform/database/database.js';
import { until } from './until.js';

/** Waits until so many statements on this PostgreSQL database wait for locks of others. */
export async function untilLocked(database: Database, count: number): Promise<void> {
  const statement = sql<{ waiting: number }>`select cast(count(*) as integer) as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  await until(async () => ((await statement.execute(database)).rows[0]?.waiting ?? 0) >= count);
}

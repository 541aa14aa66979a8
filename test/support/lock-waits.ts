import { sql } from 'kysely';
import type { Database } from '../../src/platform/database/database.js';
import { until } from './until.js';

/** Waits until `count` statements on this PostgreSQL database wait for locks. */
export async function untilLocked(database: Database, count: number): Promise<void> {
  await until(async () => (await lockWaits(database)) >= count);
}

export async function untilLockedOrDone(database: Database, count: number, work: Promise<unknown>): Promise<void> {
  let isDone = false;
  const noteEnd = () => void (isDone = true);
  work.then(noteEnd, noteEnd);
  await until(async () => isDone || (await lockWaits(database)) >= count);
}

async function lockWaits(database: Database): Promise<number> {
  const statement = sql<{ waiting: number }>`select cast(count(*) as integer) as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  return (await statement.execute(database)).rows[0]?.waiting ?? 0;
}

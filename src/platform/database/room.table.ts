import { sql, type Transaction } from 'kysely';
import { lockUntilCommit } from '../sql/dialect.js';
import type { Tables } from './tables.js';

/** The tables that have at most so many rows, and which of these count. */
const COUNTED = {
  administrators: 'true',
  login_providers: 'true',
  policies: 'true',
  skill_modules: 'removed_at is null',
  skill_packages: 'removed_at is null',
  webhooks: 'true',
  workflow_secrets: 'true',
} as const satisfies Partial<Record<keyof Tables, string>>;

/** What became of a row that was to be added. `taken`: there is one of this name; `full`: there are as many as there may be. */
export type AddOutcome = 'added' | 'taken' | 'full';

/** Returns whether a table has room for one more row. Whoever else asks waits until the transaction has ended. */
export async function hasRoom(
  transaction: Transaction<Tables>,
  table: keyof typeof COUNTED,
  most: number,
): Promise<boolean> {
  await lockUntilCommit(transaction, `room in ${table}`);
  const counted = sql.raw(COUNTED[table]);
  const { rows } = await sql<{
    count: number | string;
  }>`select count(*) as count from ${sql.table(table)} where ${counted}`.execute(transaction);
  return Number(rows[0]?.count) < most;
}

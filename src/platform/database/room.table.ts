import { sql, type Transaction } from 'kysely';
import { lockUntilCommit } from '../sql/dialect.js';
import type { Tables } from './tables.js';

/** The tables with a limited number of rows, and the condition for rows that count. */
const COUNTED = {
  administrators: 'true',
  login_providers: 'true',
  policies: 'true',
  skill_modules: 'removed_at is null',
  skill_packages: 'removed_at is null',
  webhooks: 'true',
  workflow_secrets: 'true',
} as const satisfies Partial<Record<keyof Tables, string>>;

/** The result of adding a row. `taken`: the name exists; `full`: the limit is reached. */
export type AddOutcome = 'added' | 'taken' | 'full';

/** Returns whether a table has room for one more row. Concurrent callers wait until the transaction has ended. */
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

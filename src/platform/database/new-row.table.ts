import { type InsertObject, type Kysely, sql, type Transaction } from 'kysely';
import { hasEffect } from '../sql/affected-rows.js';
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

/** Adds a row; returns false when one with the same primary or unique key exists. */
export function insertIfAbsent<Table extends keyof Tables>(
  database: Kysely<Tables>,
  table: Table,
  row: InsertObject<Tables, Table>,
): Promise<boolean> {
  return hasEffect(
    database
      .insertInto(table)
      .values(row)
      .onConflict((conflict) => conflict.doNothing()),
  );
}

/** Adds a row, unless its name is taken or the table has `most` rows that count. */
export function addIfRoom<Table extends keyof typeof COUNTED>(
  database: Kysely<Tables>,
  table: Table,
  row: InsertObject<Tables, Table>,
  most: number,
): Promise<AddOutcome> {
  return database.transaction().execute(async (transaction) => {
    if (!(await hasRoom(transaction, table, most))) return 'full';
    return (await insertIfAbsent(transaction, table, row)) ? 'added' : 'taken';
  });
}

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

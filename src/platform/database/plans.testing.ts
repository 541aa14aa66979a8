import { jest } from '@jest/globals';
import { type CompiledQuery, DefaultQueryExecutor, sql } from 'kysely';
import { dialectOf } from '../sql/dialect.js';
import type { Database } from './database.js';

/** Returns the statements that some work sends to databases, including those in transactions. @throws Error if there are none */
export async function statementsOf(work: () => Promise<unknown>): Promise<CompiledQuery[]> {
  const sent = jest.spyOn(DefaultQueryExecutor.prototype, 'executeQuery');
  try {
    await work();
    // A loop over no statements would prove nothing.
    if (sent.mock.calls.length === 0) throw new Error('no statement was sent');
    return sent.mock.calls.map(([statement]) => statement);
  } finally {
    sent.mockRestore();
  }
}

export async function explained<Row>(database: Database, statement: CompiledQuery, how: string): Promise<Row[]> {
  return (await database.executeQuery<Row>({ ...statement, sql: `${how} ${statement.sql}` })).rows;
}

/** Returns how many rows each node of PostgreSQL's plan has processed. Executes the statement. */
export async function rowCountsOf(database: Database, statement: CompiledQuery): Promise<number[]> {
  const plan = JSON.stringify(await explained(database, statement, 'explain analyze'));
  const counts = plan.matchAll(/actual time=[^)]*?rows=([\d.]+)|Rows Removed by [^:]*: (\d+)/g);
  return [...counts].map(([, returned, removed]) => Number(returned ?? removed));
}

/**
 * Returns the parts of a statement's plan whose cost grows with the tables: on SQLite full scans of a table or an index, and
 * sorts of their results; on PostgreSQL each node that has processed more than `most` rows. On SQLite, this includes an index
 * scan that a limit ends early.
 */
export async function growingPartsOf(database: Database, statement: CompiledQuery, most: number): Promise<string[]> {
  if (dialectOf(database) === 'postgres') {
    const counts = await rowCountsOf(database, statement);
    return counts.filter((count) => count > most).map((count) => `${count} rows: ${statement.sql}`);
  }
  const plan = await explained<PlanRow>(database, statement, 'explain query plan');
  const lookedAt = ({ detail }: PlanRow) => /^(?:SCAN|SEARCH) (\w+)(?!.* VIRTUAL TABLE)/.exec(detail)?.[1];
  const gathered = new Set(plan.map(({ detail }) => /^(?:CO-ROUTINE|MATERIALIZE) (\w+)/.exec(detail)?.[1]));
  const isOfTable = (row: PlanRow) => lookedAt(row) !== undefined && !gathered.has(lookedAt(row));
  const sorts = (row: PlanRow) => row.detail.startsWith('USE TEMP B-TREE');
  const growing = plan.filter((row) =>
    sorts(row)
      ? plan.some((other) => other.parent === row.parent && isOfTable(other))
      : row.detail.startsWith('SCAN') && isOfTable(row),
  );
  return growing.map(({ detail }) => detail);
}

interface PlanRow {
  parent: number;
  detail: string;
}

/** Updates PostgreSQL's table statistics, as it does automatically after a while. SQLite never does. */
export async function learned(database: Database): Promise<void> {
  if (dialectOf(database) === 'postgres') await sql`analyze`.execute(database);
}

/** A query for the numbers from 1 to `most`, as `n`. */
export const numbersUpTo = (database: Database, most: number): string =>
  dialectOf(database) === 'postgres'
    ? `select n from generate_series(1, ${most}) as n`
    : `with recursive counted(n) as (select 1 union all select n + 1 from counted where n < ${most}) select n from counted`;

import { type AbortableQueryOptions, PostgresAdapter, type QueryExecutorProvider, sql, type RawBuilder } from 'kysely';

/** The two databases. This file contains all their differences that migrations and stores need to know. */
export type DialectName = 'sqlite' | 'postgres';

export function dialectOf(database: QueryExecutorProvider): DialectName {
  return database.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite';
}

/** Returns the column type for binary data. */
export const bytesType = (dialect: DialectName): 'blob' | 'bytea' => (dialect === 'sqlite' ? 'blob' : 'bytea');

/**
 * Returns the column type for text, compared by its bytes on both databases. In the order of a language, which most databases of
 * PostgreSQL have, no index finds what begins with a prefix.
 */
export const textType = (dialect: DialectName): string => (dialect === 'sqlite' ? 'text' : 'text collate "C"');

/** Serialises transactions that lock the same name. SQLite always serialises them. */
export async function lockUntilCommit(transaction: QueryExecutorProvider, ...names: string[]): Promise<void> {
  if (dialectOf(transaction) === 'sqlite' || names.length === 0) return;
  // Locked in a fixed order, to avoid deadlocks.
  await sql`select pg_advisory_xact_lock(lock) from (
    select distinct hashtext(name) as lock from unnest(${names}::text[]) as name order by lock) as locks`.execute(
    transaction,
  );
}

/** The lock that Kysely takes for migrations, with which every service begins. */
const MIGRATION_LOCK = '3853314791062309107';

/** Keeps services that start on the database waiting until the transaction ends. On SQLite there is one service at most. */
export async function keepStartsWaiting(transaction: QueryExecutorProvider): Promise<void> {
  if (dialectOf(transaction) === 'sqlite') return;
  await sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)}::bigint)`.execute(transaction);
}

/**
 * Returns the time in some milliseconds, as ISO 8601 text. On PostgreSQL it is the database's time, because the clocks of
 * replicas differ. @param now the local time
 */
export const sharedTime = (dialect: DialectName, now: Date, afterMs = 0): RawBuilder<string> =>
  dialect === 'sqlite'
    ? sql<string>`${new Date(now.getTime() + afterMs).toISOString()}`
    : sql<string>`to_char((now() + ${afterMs} * interval '1 millisecond') at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Continues a sequence after the greatest imported key. SQLite does so automatically. */
export async function continueSequence(database: QueryExecutorProvider, table: string, column: string): Promise<void> {
  if (dialectOf(database) === 'sqlite') return;
  const next = sql`(select coalesce(max(${sql.ref(column)}), 0) + 1 from ${sql.table(table)})`;
  await sql`select setval(pg_get_serial_sequence(${table}, ${column}), ${next}, false)`.execute(database);
}

/** Lets a sequence continue after a number. Only PostgreSQL can lose numbers, at a failover. */
export async function skipSequence(
  database: QueryExecutorProvider,
  { table, column, upTo }: { table: string; column: string; upTo: number },
): Promise<void> {
  if (dialectOf(database) === 'sqlite') return;
  await sql`select setval(pg_get_serial_sequence(${table}, ${column}), ${upTo}::bigint)`.execute(database);
}

/**
 * Returns the condition that a column starts with a prefix; the prefix has no wildcards. If the column has an index, SQLite reads
 * only the matching rows.
 */
export const startsWith = (dialect: DialectName, column: string, prefix: string): RawBuilder<boolean> =>
  dialect === 'sqlite'
    ? sql<boolean>`(${sql.ref(column)} >= ${prefix} and ${sql.ref(column)} < ${prefix + LAST_CHARACTER})`
    : sql<boolean>`starts_with(${sql.ref(column)}, ${prefix})`;

const LAST_CHARACTER = '\u{10ffff}';

/**
 * Returns the condition that a column has one of many values. They are a single parameter: a parameter for each would make another
 * statement of each number of values, which takes longer to prepare than to execute.
 */
export const isOneOf = (
  dialect: DialectName,
  column: string,
  values: readonly number[] | readonly string[],
): RawBuilder<boolean> =>
  dialect === 'sqlite'
    ? sql<boolean>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(values)}))`
    : sql<boolean>`${sql.ref(column)} = any(${values})`;

/**
 * Returns the options of a statement whose result is no longer needed once the signal is aborted. PostgreSQL then cancels it;
 * SQLite cannot be interrupted from Node, but a statement that still waits for a thread is dropped.
 */
export const endedBy = (signal: AbortSignal | undefined): AbortableQueryOptions | undefined =>
  signal && { signal, inflightQueryAbortStrategy: 'cancel query' };

/** Returns the condition that a column contains a text, which has no wildcards. */
export const contains = (dialect: DialectName, column: string, text: string): RawBuilder<boolean> =>
  dialect === 'sqlite'
    ? sql<boolean>`instr(${sql.ref(column)}, ${text}) > 0`
    : sql<boolean>`strpos(${sql.ref(column)}, ${text}) > 0`;

/** Like `contains`, but ignores the case of letters: on SQLite of those without accents only. */
export const containsInLowerCase = (dialect: DialectName, column: string, text: string): RawBuilder<boolean> =>
  dialect === 'sqlite'
    ? sql<boolean>`instr(lower(${sql.ref(column)}), lower(${text})) > 0`
    : // Columns have no language, the database has one.
      sql<boolean>`strpos(lower(${sql.ref(column)} collate "default"), lower(${text})) > 0`;

/** Returns the placeholders for the values of rows in a statement: `(?, ?), (?, ?)`. */
export function placeholders(dialect: DialectName, rows: number, columns: number): string {
  const place = (index: number) => (dialect === 'sqlite' ? '?' : `$${index + 1}`);
  const rowOf = (row: number) => Array.from({ length: columns }, (_column, index) => place(row * columns + index));
  return Array.from({ length: rows }, (_row, row) => `(${rowOf(row).join(', ')})`).join(', ');
}

/**
 * Returns the clause that locks selected rows against changes until the transaction ends, and skips rows that another transaction
 * is changing. On SQLite there is no other transaction.
 */
export const sharedUnlessLocked = (dialect: DialectName): RawBuilder<unknown> =>
  dialect === 'sqlite' ? sql`` : sql`for share skip locked`;

/** Returns the clause for a selection of rows to delete; skips rows that another transaction is changing. */
export const lockedUnlessTaken = (dialect: DialectName): RawBuilder<unknown> =>
  dialect === 'sqlite' ? sql`` : sql`for update skip locked`;

/**
 * Returns the clause that locks selected rows until the transaction ends; waits for transactions that are changing them. On
 * SQLite there is no other transaction.
 */
export const lockedUntilCommit = (dialect: DialectName): RawBuilder<unknown> =>
  dialect === 'sqlite' ? sql`` : sql`for update`;

export async function triggersOn(database: QueryExecutorProvider, tables: readonly string[]): Promise<string[]> {
  const names = sql.join(tables);
  const { rows } = await (
    dialectOf(database) === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_master where type = 'trigger' and tbl_name in (${names})`
      : sql<{ name: string }>`select tgname as name from pg_trigger join pg_class on pg_class.oid = tgrelid
          where not tgisinternal and tgenabled in ('O', 'A') and relname in (${names})
            and relnamespace = current_schema()::regnamespace`
  ).execute(database);
  return rows.map(({ name }) => name);
}

/** Runs work in a transaction with the triggers of a table disabled. */
export async function withoutTriggers(
  transaction: QueryExecutorProvider,
  table: string,
  work: () => Promise<void>,
): Promise<void> {
  if (dialectOf(transaction) === 'postgres') {
    await sql`alter table ${sql.table(table)} disable trigger user`.execute(transaction);
    await work();
    await sql`alter table ${sql.table(table)} enable trigger user`.execute(transaction);
    return;
  }
  const { rows } = await sql<{ name: string; sql: string }>`select name, sql from sqlite_master
    where type = 'trigger' and tbl_name = ${table}`.execute(transaction);
  for (const { name } of rows) await sql`drop trigger ${sql.ref(name)}`.execute(transaction);
  await work();
  for (const trigger of rows) await sql.raw(trigger.sql).execute(transaction);
}

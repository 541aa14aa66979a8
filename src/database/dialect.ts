import { type CreateTableBuilder, PostgresAdapter, type QueryExecutorProvider, sql, type RawBuilder } from 'kysely';

/** The two databases, and every fact in which they differ for those who write migrations and stores. */
export type DialectName = 'sqlite' | 'postgres';

export function dialectOf(database: QueryExecutorProvider): DialectName {
  return database.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite';
}

/** A primary key that counts up by itself; a value given on insert (an import) is kept. */
export function addSequenceKey<Table extends string>(
  table: CreateTableBuilder<Table>,
  column: string,
  dialect: DialectName,
): CreateTableBuilder<Table, string> {
  return dialect === 'sqlite'
    ? table.addColumn(column, 'integer', (definition) => definition.primaryKey().autoIncrement())
    : table.addColumn(column, 'bigint', (definition) => definition.primaryKey().generatedByDefaultAsIdentity());
}

/** The type of a column of bytes. */
export const bytesType = (dialect: DialectName): 'blob' | 'bytea' => (dialect === 'sqlite' ? 'blob' : 'bytea');

/** Lets transactions with the same name wait for each other. On SQLite they do so anyway. */
export async function lockUntilCommit(transaction: QueryExecutorProvider, name: string): Promise<void> {
  if (dialectOf(transaction) === 'sqlite') return;
  await sql`select pg_advisory_xact_lock(hashtext(${name}))`.execute(transaction);
}

/** Lets a sequence go on after the greatest key that an import brought. SQLite does so by itself. */
export async function continueSequence(database: QueryExecutorProvider, table: string, column: string): Promise<void> {
  if (dialectOf(database) === 'sqlite') return;
  const next = sql`(select coalesce(max(${sql.ref(column)}), 0) + 1 from ${sql.table(table)})`;
  await sql`select setval(pg_get_serial_sequence(${table}, ${column}), ${next}, false)`.execute(database);
}

/** Whether a column's text begins with a prefix, in which no character is a wildcard. */
export const startsWith = (column: string, prefix: string): RawBuilder<boolean> =>
  sql<boolean>`substr(${sql.ref(column)}, 1, ${prefix.length}) = ${prefix}`;

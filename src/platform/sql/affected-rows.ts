import {
  DeleteResult,
  type InsertObject,
  type InsertResult,
  type Kysely,
  type SelectQueryBuilder,
  sql,
  UpdateResult,
} from 'kysely';

/** An insert, update or delete. */
interface Statement {
  executeTakeFirstOrThrow(): Promise<DeleteResult | InsertResult | UpdateResult>;
}

/** Executes a statement; returns how many rows it wrote or deleted. */
export async function affectedRows(statement: Statement): Promise<number> {
  const result = await statement.executeTakeFirstOrThrow();
  if (result instanceof DeleteResult) return Number(result.numDeletedRows);
  return Number(result instanceof UpdateResult ? result.numUpdatedRows : (result.numInsertedOrUpdatedRows ?? 0));
}

/** Executes a statement; returns whether it wrote or deleted a row. */
export async function hasEffect(statement: Statement): Promise<boolean> {
  return (await affectedRows(statement)) > 0;
}

/** Adds a row; returns false when one with its key exists already. */
export function insertIfAbsent<Tables, Table extends keyof Tables & string>(
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

/** Returns the number of rows that a query finds. */
export async function countRows<Tables, Table extends keyof Tables>(
  query: SelectQueryBuilder<Tables, Table, object>,
): Promise<number> {
  const counted = query.select(sql`count(*)`.as('count')).$castTo<{ count: number | string }>();
  return Number((await counted.executeTakeFirstOrThrow()).count);
}

import { DeleteResult, type InsertResult, type SelectQueryBuilder, sql, UpdateResult } from 'kysely';

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

/** Returns the number of rows that a query finds. */
export async function countRows<Tables, Table extends keyof Tables>(
  query: SelectQueryBuilder<Tables, Table, object>,
): Promise<number> {
  const counted = query.select(sql`count(*)`.as('count')).$castTo<{ count: number | string }>();
  return Number((await counted.executeTakeFirstOrThrow()).count);
}

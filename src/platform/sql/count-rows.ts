import { type SelectQueryBuilder, sql } from 'kysely';

/** Returns the number of rows that a query finds. */
export async function countRows<Tables, Table extends keyof Tables>(
  query: SelectQueryBuilder<Tables, Table, object>,
): Promise<number> {
  const counted = query.select(sql`count(*)`.as('count')).$castTo<{ count: number | string }>();
  return Number((await counted.executeTakeFirstOrThrow()).count);
}

import { dialectOf, startsWith } from '../sql/dialect.js';
import type { Database } from './database.js';

/** Returns the first ids of a table that start with a prefix, in order. */
export async function firstIds(
  { longReads }: Database,
  table: 'feeds' | 'knowledge_documents',
  { prefix, limit }: { prefix: string; limit: number },
): Promise<string[]> {
  const rows = await longReads
    .selectFrom(table)
    .select('id')
    .where(startsWith(dialectOf(longReads), 'id', prefix))
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../platform/database/database.js';
import type { Collection, ItemFilter } from './collection.js';

export function itemsWhere(
  database: Database,
  { tables }: Pick<Collection, 'tables'>,
  condition: RawBuilder<unknown>,
): ItemFilter {
  const select = async (which: RawBuilder<unknown>): Promise<number[]> => {
    const { rows } = await sql<{ id: number }>`select id from ${sql.table(tables.items)} where ${which}`.execute(
      database.longReads, // may scan all items when few match
    );
    return rows.map(({ id }) => id);
  };
  return {
    keep: async (ids) => (ids.length === 0 ? [] : select(sql`id in (${sql.join(ids)}) and ${condition}`)),
    list: (limit) => select(sql`${condition} order by id desc limit ${limit}`),
  };
}

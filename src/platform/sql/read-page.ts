import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { type Page, type PageRequest, parseCursor, toPage } from '../paging/page-cursor.js';

/** The order of a list: texts in selected columns that together identify a row, all ascending or all descending. */
interface PageOrder {
  by: readonly string[];
  isDescending?: boolean;
}

/** Returns one page of the rows that a query finds. @throws InvalidCursor */
export async function readPage<Tables, Table extends keyof Tables, Row extends object>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  { limit, cursor }: PageRequest,
  { by, isDescending = false }: PageOrder,
): Promise<Page<Row>> {
  let page = query.limit(limit + 1);
  for (const column of by) page = page.orderBy(sql.ref(column), isDescending ? 'desc' : 'asc');
  if (cursor !== undefined) {
    const columns = sql.join(by.map((column) => sql.ref(column)));
    const last = sql.join(parseCursor(cursor, by.length));
    page = page.where(isDescending ? sql<boolean>`(${columns}) < (${last})` : sql<boolean>`(${columns}) > (${last})`);
  }
  const names = by.map((column) => column.slice(column.indexOf('.') + 1));
  return toPage(await page.execute(), limit, (row) => names.map((name) => String(Reflect.get(row, name))));
}

/** The condition of what a cursor leaves of a list by time of creation, latest first, and then by id. @throws InvalidCursor */
export function createdBefore(cursor: string): RawBuilder<boolean> {
  const [created = '', id = ''] = parseCursor(cursor, 2);
  return sql<boolean>`(created_at < ${created} or (created_at = ${created} and id > ${id}))`;
}

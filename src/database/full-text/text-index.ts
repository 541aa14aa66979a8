import { type QueryExecutorProvider, sql } from 'kysely';
import { dialectOf } from '../dialect.js';
import * as postgres from './postgres-index.js';
import * as sqlite from './sqlite-index.js';
import { isEmptyQuery } from './text-query.rules.js';
import type { IndexedText, TextMatches, TextSearch } from './text-search.js';
import { indexedWords } from './words.rules.js';

/**
 * A full-text index of a table with a sequence key `id`; the entry of a row goes away with it. On SQLite it is an FTS5
 * table, on PostgreSQL a table of tsvector. The words are made by `words.rules.ts`, so both find the same.
 */
export async function createTextIndex(db: QueryExecutorProvider, index: string, table: string): Promise<void> {
  await dialectIndex(db).create(db, index, table);
}

/** Adds rows that are not in the index. */
export async function addToTextIndex(
  db: QueryExecutorProvider,
  index: string,
  texts: readonly IndexedText[],
): Promise<void> {
  for (const { id, title, context, body } of texts) {
    await dialectIndex(db).add(db, index, id, {
      title: indexedWords(title),
      context: indexedWords(context),
      body: indexedWords(body),
    });
  }
}

export async function removeFromTextIndex(db: QueryExecutorProvider, index: string, id: number): Promise<void> {
  await sql`delete from ${sql.table(index)} where ${dialectIndex(db).KEY} = ${id}`.execute(db);
}

/** Ids of rows that are not in the index. */
export async function listUnindexed(
  db: QueryExecutorProvider,
  index: string,
  table: string,
  limit: number,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from ${sql.table(table)} where id not in (select ${dialectIndex(db).KEY} from ${sql.table(index)})
    order by id limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** The best matches that have all that the query looks for; if there are none, those that have some of it. */
export async function searchTextIndex(db: QueryExecutorProvider, search: TextSearch): Promise<TextMatches> {
  if (isEmptyQuery(search.query)) return { have: 'all', matches: [] };
  const { find } = dialectIndex(db);
  const matches = await find(db, search, 'all');
  if (matches.length > 0) return { have: 'all', matches };
  return { have: 'some', matches: await find(db, search, 'some') };
}

const dialectIndex = (db: QueryExecutorProvider) => (dialectOf(db) === 'sqlite' ? sqlite : postgres);

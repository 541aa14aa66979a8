import { type QueryExecutorProvider, sql } from 'kysely';
import { dialectOf } from '../sql/dialect.js';
import { postgresIndex } from './postgres-index.js';
import { sqliteIndex } from './sqlite-index.js';
import { isEmptyQuery, type TextQuery } from './text-query.rules.js';
import type { DialectIndex, IndexedWords, ScoredRow, TextMatch, TextSearch } from './text-search.js';

/**
 * Creates the full-text index of a table with a numeric key `id`; deleting a row also deletes its index entry. On
 * SQLite the index is an FTS5 table, on PostgreSQL a table of tsvectors. `words.rules.ts` makes the words, so both find
 * the same.
 */
export async function createTextIndex(db: QueryExecutorProvider, index: string, table: string): Promise<void> {
  await dialectIndex(db).create(db, index, table);
}

/** Adds rows to the index; they must not be in it yet. */
export async function addToTextIndex(
  db: QueryExecutorProvider,
  index: string,
  rows: readonly IndexedWords[],
): Promise<void> {
  if (rows.length > 0) await dialectIndex(db).add(db, index, rows);
}

export async function removeFromTextIndex(db: QueryExecutorProvider, index: string, id: number): Promise<void> {
  await sql`delete from ${sql.table(index)} where ${dialectIndex(db).key} = ${id}`.execute(db);
}

/** Returns the ids of at most `limit` rows that are not in the index. */
export async function listUnindexed(
  db: QueryExecutorProvider,
  index: string,
  table: string,
  limit: number,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from ${sql.table(table)} where id not in (select ${dialectIndex(db).key} from ${sql.table(index)})
    order by id limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Returns the best matches: first those that have everything the query asks for, then, up to the limit, those that have
 * all its phrases and some of its rarest words.
 */
export async function searchTextIndex(db: QueryExecutorProvider, search: TextSearch): Promise<TextMatch[]> {
  const { query, limit } = search;
  if (isEmptyQuery(query)) return [];
  const all = (await findAll(db, search)).map((match): TextMatch => ({ ...match, has: 'all' }));
  if (all.length >= limit || termCount(query) < 2) return all;
  const known = new Set(all.map(({ id }) => id));
  const some = await dialectIndex(db).findSome(db, search);
  const floor = (some[0]?.score ?? 0) * FLOOR;
  const more = some.filter(({ id, score }) => score >= floor && !known.has(id));
  return [...all, ...more.map((match): TextMatch => ({ ...match, has: 'some' }))].slice(0, limit);
}

/**
 * Searches titles and contexts first; ranks bodies, of which frequent words match many, only when these give too few
 * matches.
 */
async function findAll(db: QueryExecutorProvider, search: TextSearch): Promise<ScoredRow[]> {
  const index = dialectIndex(db);
  const heads = await index.findAll(db, search, 'heads');
  return heads.length >= search.limit ? heads : index.findAll(db, search, 'everywhere');
}

/** A match with only some of the words needs at least this share of the best score among such matches. */
const FLOOR = 0.25;

const termCount = ({ words, prefix }: TextQuery): number => words.length + (prefix === null ? 0 : 1);

const dialectIndex = (db: QueryExecutorProvider): DialectIndex =>
  dialectOf(db) === 'sqlite' ? sqliteIndex : postgresIndex;

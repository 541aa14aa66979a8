import { type QueryExecutorProvider, sql } from 'kysely';
import type { TextQuery } from './text-query.rules.js';
import type { Coverage, DialectIndex, IndexedWords, TextMatch, TextSearch } from './text-search.js';

/** The text index on SQLite: an FTS5 table that keeps no text of its own, ranked by BM25. */
export const sqliteIndex: DialectIndex = { key: sql.ref('rowid'), create, add, find };

const TITLE_WEIGHT = 8;
const CONTEXT_WEIGHT = 3;
const BODY_WEIGHT = 1;

async function create(db: QueryExecutorProvider, index: string, table: string): Promise<void> {
  // The words come ready-made: the ascii tokenizer takes them as they are.
  await sql`create virtual table ${sql.table(index)} using fts5(
    title, context, body, content='', contentless_delete=1, tokenize='ascii')`.execute(db);
  await sql`create trigger ${sql.table(`${index}_delete`)} after delete on ${sql.table(table)}
    begin delete from ${sql.table(index)} where rowid = old.id; end`.execute(db);
}

async function add(db: QueryExecutorProvider, index: string, rows: readonly IndexedWords[]): Promise<void> {
  // One by one: it is the same prepared statement each time.
  for (const { id, title, context, body } of rows) {
    await sql`insert into ${sql.table(index)} (rowid, title, context, body)
      values (${id}, ${title.join(' ')}, ${context.join(' ')}, ${body.join(' ')})`.execute(db);
  }
}

async function find(
  db: QueryExecutorProvider,
  { index, query, limit, among }: TextSearch,
  has: Coverage,
): Promise<Omit<TextMatch, 'has'>[]> {
  const table = sql.table(index);
  const score = sql`-bm25(${table}, ${sql.lit(TITLE_WEIGHT)}, ${sql.lit(CONTEXT_WEIGHT)}, ${sql.lit(BODY_WEIGHT)})`;
  const { rows } = await sql<Omit<TextMatch, 'has'>>`
    select rowid as id, ${score} as score from ${table}
    where ${table} match ${toMatch(query, has)} ${among ? sql`and rowid in (${among})` : sql``}
    order by score desc, rowid limit ${limit}`.execute(db);
  return rows;
}

// Every word is quoted, so none of them is an operator; words hold letters and digits only. Where all words are there, the
// last one counts more if it is complete.
function toMatch({ words, prefix, phrases }: TextQuery, has: Coverage): string {
  const wanted = [
    ...words.map((word) => `"${word}"`),
    ...(prefix === null ? [] : [has === 'all' ? `("${prefix}" OR "${prefix}"*)` : `"${prefix}"*`]),
  ].join(has === 'all' ? ' AND ' : ' OR ');
  return [...phrases.map((phrase) => `"${phrase.join(' ')}"`), ...(wanted === '' ? [] : [`(${wanted})`])].join(' AND ');
}

import { type QueryExecutorProvider, sql } from 'kysely';
import { candidateTerms, type CountedTerm } from './candidate-terms.rules.js';
import type { DialectIndex, IndexedWords, Scope, ScoredRow, TextSearch } from './text-search.js';

/** The text index on SQLite: an FTS5 table that stores no text, ranked by BM25. */
export const sqliteIndex: DialectIndex = { key: sql.ref('rowid'), create, add, findAll, findSome };

const TITLE_WEIGHT = 8;
const CONTEXT_WEIGHT = 3;
const BODY_WEIGHT = 1;
/** Counting the rows that have a word stops here, to keep searches fast: such a word is too common to be telling. */
const COUNTED = 20_000;
const MOST_CANDIDATES = 10_000;

async function create(db: QueryExecutorProvider, index: string, table: string): Promise<void> {
  // The words are already normalised; the ascii tokenizer leaves them as they are.
  await sql`create virtual table ${sql.table(index)} using fts5(
    title, context, body, content='', contentless_delete=1, tokenize='ascii')`.execute(db);
  await sql`create trigger ${sql.table(`${index}_delete`)} after delete on ${sql.table(table)}
    begin delete from ${sql.table(index)} where rowid = old.id; end`.execute(db);
}

async function add(db: QueryExecutorProvider, index: string, rows: readonly IndexedWords[]): Promise<void> {
  // One row at a time, which reuses the same prepared statement.
  for (const { id, title, context, body } of rows) {
    await sql`insert into ${sql.table(index)} (rowid, title, context, body)
      values (${id}, ${title}, ${context}, ${body})`.execute(db);
  }
}

function findAll(db: QueryExecutorProvider, search: TextSearch, scope: Scope): Promise<ScoredRow[]> {
  const { words, prefix, phrases } = search.query;
  const wanted = [
    ...words.map(quoted),
    // Twice, so that the word itself counts more than a longer one.
    ...(prefix === null ? [] : [`(${quoted(prefix)} OR ${quoted(prefix)}*)`]),
    ...phrases.map((phrase) => quoted(phrase.join(' '))),
  ].join(' AND ');
  return find(db, search, scope === 'heads' ? `{title context} : (${wanted})` : wanted);
}

async function findSome(db: QueryExecutorProvider, search: TextSearch): Promise<ScoredRow[]> {
  const { words, prefix, phrases } = search.query;
  const terms = [...words.map(quoted), ...(prefix === null ? [] : [`${quoted(prefix)}*`])];
  const wanted = candidateTerms(await counted(db, search.index, terms), MOST_CANDIDATES).map(({ query }) => query);
  if (wanted.length === 0) return [];
  return find(
    db,
    search,
    [...phrases.map((phrase) => quoted(phrase.join(' '))), `(${wanted.join(' OR ')})`].join(' AND '),
  );
}

async function counted(db: QueryExecutorProvider, index: string, terms: readonly string[]): Promise<CountedTerm[]> {
  const table = sql.table(index);
  const counts = terms.map(
    (term) =>
      sql`(select count(*) from (select 1 from ${table} where ${table} match ${term} limit ${sql.lit(COUNTED)}))`,
  );
  const { rows } = await sql<{ counts: string }>`select json_array(${sql.join(counts)}) as counts`.execute(db);
  const found = JSON.parse(rows[0]?.counts ?? '[]') as number[];
  return terms.map((query, position) => ({ query, count: found[position] ?? 0 }));
}

async function find(
  db: QueryExecutorProvider,
  { index, limit, among }: TextSearch,
  expression: string,
): Promise<ScoredRow[]> {
  const table = sql.table(index);
  const score = sql`-bm25(${table}, ${sql.lit(TITLE_WEIGHT)}, ${sql.lit(CONTEXT_WEIGHT)}, ${sql.lit(BODY_WEIGHT)})`;
  const { rows } = await sql<ScoredRow>`
    select rowid as id, ${score} as score from ${table}
    where ${table} match ${expression} ${among ? sql`and +rowid in (${among})` : sql``}
    order by score desc, rowid limit ${limit}`.execute(db);
  return rows;
}

// Words hold only letters and digits; quotes keep words such as AND from being operators.
const quoted = (words: string): string => `"${words}"`;

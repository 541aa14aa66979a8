import { type QueryExecutorProvider, sql } from 'kysely';
import { bytesType, dialectOf, endedBy, isOneOf, textType } from '../sql/dialect.js';
import { isLanguage, type Language } from './language.rules.js';
import type { IndexedWords } from './text-search.js';
import { type FieldLengths, lengthsOf } from './word-counts.rules.js';

/** Statistics over all rows of an index, for ranking. */
export interface IndexStatistics {
  /** The languages of its rows. */
  languages: readonly Language[];
  rows: number;
  averages: FieldLengths;
}

const tableOf = (index: string) => sql.table(`${index}_counts`);

/** Creates the table with the word counts of each row, for ranking the rows that an index finds. */
export async function createCounts(db: QueryExecutorProvider, index: string, table: string): Promise<void> {
  const dialect = dialectOf(db);
  const id = sql.raw(dialect === 'sqlite' ? 'integer' : 'bigint');
  const [text, bytes] = [sql.raw(textType(dialect)), sql.raw(bytesType(dialect))];
  await sql`create table ${tableOf(index)} (
    id ${id} primary key references ${sql.table(table)} (id) on delete cascade,
    language ${text} not null, title_words integer not null, context_words integer not null, body_words integer not null,
    counts ${bytes} not null)`.execute(db);
  await sql`create index ${sql.ref(`${index}_counts_language`)}
    on ${tableOf(index)} (language, title_words, context_words, body_words)`.execute(db);
}

export async function addCounts(
  db: QueryExecutorProvider,
  index: string,
  rows: readonly IndexedWords[],
): Promise<void> {
  const values = rows.map(({ id, language, counts }) => {
    const { title, context, body } = lengthsOf(counts);
    return sql`(${id}, ${language}, ${title}, ${context}, ${body}, ${counts})`;
  });
  await sql`insert into ${tableOf(index)} (id, language, title_words, context_words, body_words, counts)
    values ${sql.join(values)}`.execute(db);
}

/** Returns the word counts of rows, by id; omits rows that are not in the index. */
export async function countsOf(
  db: QueryExecutorProvider,
  index: string,
  ids: readonly number[],
  signal?: AbortSignal,
): Promise<{ id: number; counts: Uint8Array }[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ id: number; counts: Uint8Array }>`
    select id, counts from ${tableOf(index)} where ${isOneOf(dialectOf(db), 'id', ids)}`.execute(db, endedBy(signal));
  return rows;
}

/** Returns the languages of rows, by id; omits rows that are not in the index. */
export async function languagesOf(
  db: QueryExecutorProvider,
  index: string,
  ids: readonly number[],
): Promise<Map<number, Language>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: number; language: string }>`
    select id, language from ${tableOf(index)} where ${isOneOf(dialectOf(db), 'id', ids)}`.execute(db);
  return new Map(rows.flatMap(({ id, language }) => (isLanguage(language) ? [[id, language]] : [])));
}

/** What an index has now: if it differs from the statistics, they are out of date. */
interface IndexState {
  /** The greatest id of a row; 0 when it is empty. */
  newest: number;
  languages: readonly Language[];
}

export async function readState(db: QueryExecutorProvider, index: string): Promise<IndexState> {
  // One look-up in an index for each language, instead of reading all rows.
  const { rows } = await sql<{ language: string | null; newest: number | null }>`
    with recursive found (language) as (
      select min(language) from ${tableOf(index)}
      union all select (select min(language) from ${tableOf(index)} where language > found.language)
      from found where found.language is not null)
    select language, (select max(id) from ${tableOf(index)}) as newest from found`.execute(db);
  return {
    newest: rows[0]?.newest ?? 0,
    languages: rows.flatMap(({ language }) => (language !== null && isLanguage(language) ? [language] : [])),
  };
}

/** Returns the greatest id of a row in the index; 0 when it is empty. */
export async function newestId(db: QueryExecutorProvider, index: string): Promise<number> {
  const { rows } = await sql<{ newest: number | null }>`select max(id) as newest from ${tableOf(index)}`.execute(db);
  return rows[0]?.newest ?? 0;
}

export async function readStatistics(db: QueryExecutorProvider, index: string): Promise<IndexStatistics> {
  const { rows: found } = await sql<Record<'title' | 'context' | 'body' | 'rows', number> & { language: string }>`
    select language, count(*) as rows, sum(title_words) as title, sum(context_words) as context, sum(body_words) as body
    from ${tableOf(index)} group by language order by language`.execute(db);
  const sums = { rows: 0, title: 0, context: 0, body: 0 };
  for (const row of found)
    for (const sum of ['rows', 'title', 'context', 'body'] as const) sums[sum] += Number(row[sum]);
  const averageOf = (sum: number) => (sums.rows === 0 ? 0 : sum / sums.rows);
  return {
    languages: found.map(({ language }) => language).filter(isLanguage),
    rows: sums.rows,
    averages: { title: averageOf(sums.title), context: averageOf(sums.context), body: averageOf(sums.body) },
  };
}

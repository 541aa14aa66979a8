import { setImmediate as nextTurn } from 'node:timers/promises';
import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import { endedBy } from '../sql/dialect.js';
import { evenly } from './spread-search.js';
import {
  type Count,
  type DialectIndex,
  type Find,
  type IndexedWords,
  LOOKED_AT,
  type QueryTerm,
  type Wanted,
} from './text-search.js';

/** The text index on SQLite: an FTS5 table that stores no text. */
export const sqliteIndex: DialectIndex = {
  key: sql.ref('rowid'),
  create,
  add,
  count,
  find,
  size,
  idsOf,
};

/** Weights of the title, the context and the body when the most promising rows are chosen. */
const TITLE_WEIGHT = sql.lit(8);
const CONTEXT_WEIGHT = sql.lit(3);
const BODY_WEIGHT = sql.lit(1);

/**
 * Pages of 4 kB that are merged in one step, and the rows that need a step: a row fills about one page, and each is
 * merged once for each level of the index, of which a million rows make eight.
 */
const MERGED_PAGES = 16;
const ROWS_PER_STEP = 2;

async function create(db: QueryExecutorProvider, index: string, table: string): Promise<void> {
  // The words are already normalised; the ascii tokenizer leaves them as they are.
  await sql`create virtual table ${sql.table(index)} using fts5(
    title, context, body, content='', contentless_delete=1, tokenize='ascii')`.execute(db);
  // FTS5 writes a small b-tree with each transaction, and would merge them a megabyte at a time, which holds up
  // everybody else: `add` merges in steps.
  await configure(db, index, 'automerge', 0);
  await sql`create trigger ${sql.table(`${index}_delete`)} after delete on ${sql.table(table)}
    begin delete from ${sql.table(index)} where rowid = old.id; end`.execute(db);
}

async function add(db: QueryExecutorProvider, index: string, rows: readonly IndexedWords[]): Promise<void> {
  // One row at a time, which reuses the same prepared statement.
  for (const { id, title, context, body, labels } of rows) {
    await sql`insert into ${sql.table(index)} (rowid, title, context, body)
      values (${id}, ${title}, ${[context, ...labels].join(' ')}, ${body})`.execute(db);
  }
  for (let merged = 0; merged < rows.length; merged += ROWS_PER_STEP) {
    await nextTurn(); // most steps take a millisecond, and some ten
    await configure(db, index, 'merge', MERGED_PAGES);
  }
}

/** Gives FTS5 a setting or a command (https://www.sqlite.org/fts5.html#special_insert_commands). */
async function configure(db: QueryExecutorProvider, index: string, command: string, value: number): Promise<void> {
  await sql`insert into ${sql.table(index)} (${sql.ref(index)}, rank) values (${command}, ${sql.lit(value)})`.execute(
    db,
  );
}

async function count(db: QueryExecutorProvider, { index, terms, signal }: Count): Promise<number[]> {
  const table = sql.table(index);
  const counts = terms.map((term) => sql`(select count(*) from ${table} where ${table} match ${expressionOf(term)})`);
  const { rows } = await sql<{ counts: string }>`select json_array(${sql.join(counts)}) as counts`.execute(
    db,
    endedBy(signal),
  );
  return JSON.parse(rows[0]?.counts ?? '[]') as number[];
}

async function find(
  db: QueryExecutorProvider,
  { index, limit, lookedAt = LOOKED_AT, signal, ...wanted }: Find,
): Promise<number[]> {
  const table = sql.table(index);
  const { rows } = await sql<{ id: number }>`
    select id from (
      select rowid as id, bm25(${table}, ${TITLE_WEIGHT}, ${CONTEXT_WEIGHT}, ${BODY_WEIGHT}) as badness from ${table}
      where ${conditionOf(table, wanted)}
      limit ${lookedAt})
    order by badness, ${evenly(sql.ref('id'))}, id limit ${limit}`.execute(db, endedBy(signal));
  return rows.map(({ id }) => id);
}

async function size(
  db: QueryExecutorProvider,
  { index, lookedAt = LOOKED_AT, signal, limit: _limit, ...wanted }: Find,
): Promise<number> {
  const table = sql.table(index);
  const { rows } = await sql<{ size: number }>`
    select count(*) as size from (select 1 from ${table} where ${conditionOf(table, wanted)} limit ${lookedAt})`.execute(
    db,
    endedBy(signal),
  );
  return rows[0]?.size ?? 0;
}

function conditionOf(table: RawBuilder<unknown>, { among, except, ...wanted }: Sought): RawBuilder<unknown> {
  return sql`${table} match ${matchOf(wanted)} ${among ? sql`and +rowid in (${sql.join(among)})` : sql``}
    ${except ? sql`and +rowid not in (${except})` : sql``}`;
}

type Sought = Omit<Find, 'index' | 'limit' | 'lookedAt' | 'signal'>;

function idsOf({ index, ...wanted }: Wanted & Pick<Find, 'index' | 'labels'>): RawBuilder<number> {
  const table = sql.table(index);
  return sql<number>`(select rowid as id from ${table} where ${table} match ${matchOf(wanted)})`;
}

function matchOf({ terms, need, phrases, labels, scope }: Wanted & Pick<Find, 'labels'>): string {
  const anyOrAll = terms.map(expressionOf).join(need === 'all' ? ' AND ' : ' OR ');
  const wanted = [
    ...phrases.map((forms) => `(${forms.map((words) => quoted(words.join(' '))).join(' OR ')})`),
    ...(anyOrAll === '' ? [] : [`(${anyOrAll})`]),
    ...labels.map(quoted), // they stand in the context
  ].join(' AND ');
  return scope === 'heads' ? `{title context} : (${wanted})` : wanted;
}

const expressionOf = ({ forms, isPrefix }: QueryTerm): string =>
  `(${forms.map((form) => (isPrefix ? `${quoted(form)}*` : quoted(form))).join(' OR ')})`;

// Words hold only letters and digits; quotes keep words such as AND from being operators.
const quoted = (words: string): string => `"${words}"`;

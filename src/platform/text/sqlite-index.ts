import { setImmediate as nextTurn } from 'node:timers/promises';
import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import { endedBy } from '../sql/dialect.js';
import { evenly } from './spread-search.js';
import {
  type Count,
  type DialectIndex,
  type Find,
  type Found,
  type IndexedWords,
  MOST_ROWS,
  type QueryTerm,
  type Wanted,
} from './text-search.js';

/**
 * The text index on SQLite: an FTS5 table without stored text, and a small one for titles and contexts only. FTS5 can search
 * single columns, but reads the index data of all the others.
 */
export const sqliteIndex: DialectIndex = {
  create,
  add,
  remove,
  count,
  find,
  idsOf,
};

/** Weights of the title, the context and the body for choosing candidate rows. */
const WEIGHTS = sql`8, 3, 1`;

/**
 * Number of 4 kB pages merged in one step, and rows per step: a row fills about one page, its title and context a tenth, and each
 * is merged once for each level of the index; a million rows make eight levels.
 */
const MERGED_PAGES = 16;
const ROWS_PER_STEP = { everywhere: 2, heads: 16 };

const nameOf = (index: string, scope: Wanted['scope']): string => (scope === 'heads' ? `${index}_heads` : index);

async function create(db: QueryExecutorProvider, index: string, table: string): Promise<void> {
  for (const [name, columns] of [
    [nameOf(index, 'everywhere'), sql`title, context, body`],
    [nameOf(index, 'heads'), sql`title, context`],
  ] as const) {
    // The words are already normalised; the ascii tokenizer leaves them unchanged.
    await sql`create virtual table ${sql.table(name)} using fts5(
      ${columns}, content='', contentless_delete=1, tokenize='ascii')`.execute(db);
    // FTS5 writes a small b-tree with each transaction, and would merge them a megabyte at a time, which blocks everyone else:
    // `add` merges in steps.
    await configure(db, name, 'automerge', 0);
    await sql`create trigger ${sql.table(`${name}_delete`)} after delete on ${sql.table(table)}
      begin delete from ${sql.table(name)} where rowid = old.id; end`.execute(db);
  }
}

async function add(db: QueryExecutorProvider, index: string, rows: readonly IndexedWords[]): Promise<void> {
  const heads = nameOf(index, 'heads');
  // One row at a time, to reuse the same prepared statements.
  for (const { id, title, context, body, labels } of rows) {
    const labelled = [context, ...labels].join(' ');
    await sql`insert into ${sql.table(index)} (rowid, title, context, body)
      values (${id}, ${title}, ${labelled}, ${body})`.execute(db);
    await sql`insert into ${sql.table(heads)} (rowid, title, context) values (${id}, ${title}, ${labelled})`.execute(
      db,
    );
  }
  await merge(db, index, rows.length / ROWS_PER_STEP.everywhere);
  await merge(db, heads, rows.length / ROWS_PER_STEP.heads);
}

async function merge(db: QueryExecutorProvider, name: string, steps: number): Promise<void> {
  for (let done = 0; done < steps; done += 1) {
    await nextTurn(); // most steps take a millisecond, and some ten
    await configure(db, name, 'merge', MERGED_PAGES);
  }
}

async function remove(db: QueryExecutorProvider, index: string, id: number): Promise<void> {
  for (const scope of ['everywhere', 'heads'] as const)
    await sql`delete from ${sql.table(nameOf(index, scope))} where rowid = ${id}`.execute(db);
}

/** Sends FTS5 a setting or a command (https://www.sqlite.org/fts5.html#special_insert_commands). */
async function configure(db: QueryExecutorProvider, name: string, command: string, value: number): Promise<void> {
  await sql`insert into ${sql.table(name)} (${sql.ref(name)}, rank) values (${command}, ${sql.lit(value)})`.execute(db);
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
  { index, limit, mostRows = MOST_ROWS, signal, ...wanted }: Find,
): Promise<Found> {
  const table = sql.table(nameOf(index, wanted.scope));
  const { rows } = await sql<{ id: number; size: number }>`
    select id, count(*) over () as size from (
      select rowid as id, bm25(${table}, ${WEIGHTS}) as badness from ${table}
      where ${conditionOf(table, wanted)}
      limit ${mostRows})
    order by badness, ${evenly(sql.ref('id'))}, id limit ${limit}`.execute(db, endedBy(signal));
  return { ids: rows.map(({ id }) => id), size: rows[0]?.size ?? 0 };
}

function conditionOf(table: RawBuilder<unknown>, { among, except, ...wanted }: Sought): RawBuilder<unknown> {
  return sql`${table} match ${matchOf(wanted)} ${among ? sql`and +rowid in (${sql.join(among)})` : sql``}
    ${except ? sql`and +rowid not in (${except})` : sql``}`;
}

type Sought = Omit<Find, 'index' | 'limit' | 'mostRows' | 'signal'>;

function idsOf({ index, ...wanted }: Wanted & Pick<Find, 'index' | 'labels'>): RawBuilder<number> {
  const table = sql.table(nameOf(index, wanted.scope));
  return sql<number>`(select rowid as id from ${table} where ${table} match ${matchOf(wanted)})`;
}

function matchOf({ terms, need, phrases, labels }: Wanted & Pick<Find, 'labels'>): string {
  const anyOrAll = terms.map(expressionOf).join(need === 'all' ? ' AND ' : ' OR ');
  return [
    ...phrases.map((forms) => `(${forms.map((words) => quoted(words.join(' '))).join(' OR ')})`),
    ...(anyOrAll === '' ? [] : [`(${anyOrAll})`]),
    ...labels.map(quoted), // stored in the context
  ].join(' AND ');
}

const expressionOf = ({ forms, isPrefix }: QueryTerm): string =>
  `(${forms.map((form) => (isPrefix ? `${quoted(form)}*` : quoted(form))).join(' OR ')})`;

// Words contain only letters and digits; quotes keep words such as AND from being operators.
const quoted = (words: string): string => `"${words}"`;

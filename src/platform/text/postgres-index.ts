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

/** The text index on PostgreSQL: tsvectors built from our own words and positions. */
export const postgresIndex: DialectIndex = {
  create,
  add,
  remove,
  count,
  find,
  idsOf,
};

const FIELDS = [
  ['title', 'A'],
  ['context', 'B'],
  ['body', 'D'],
] as const;
/** Weights of the labels D, C, B and A for choosing candidate rows: the body, none, the context, the title. */
const WEIGHTS = sql`'{0.3, 0, 0.45, 1.0}'::float4[]`;
/** Normalisation that penalises long texts: divides the rank by 1 + the logarithm of the length. */
const BY_LENGTH = sql.lit(1);
/** Gap between the positions of two fields, so that no phrase matches across them. */
const GAP = 10;
const LAST_POSITION = 16_383;
const MOST_POSITIONS = 256;
/** Cap for counting the rows with a word; only prefixes can be that frequent, see `estimateOf`. */
const MOST_COUNTED = 20_000;

async function create(db: QueryExecutorProvider, index: string, table: string): Promise<void> {
  // A second index for title and context without the body.
  await sql`create table ${sql.table(index)} (
    id bigint primary key references ${sql.table(table)} (id) on delete cascade, words tsvector not null,
    heads tsvector generated always as (ts_filter(words, '{a,b}')) stored)`.execute(db);
  for (const column of ['words', 'heads']) {
    await sql`create index ${sql.ref(`${index}_${column}`)} on ${sql.table(index)} using gin (${sql.ref(column)})`.execute(
      db,
    );
  }
}

async function add(db: QueryExecutorProvider, index: string, rows: readonly IndexedWords[]): Promise<void> {
  const values = rows.map((row) => sql`(${row.id}, ${toVector(row)}::tsvector)`);
  await sql`insert into ${sql.table(index)} (id, words) values ${sql.join(values)}`.execute(db);
}

async function remove(db: QueryExecutorProvider, index: string, id: number): Promise<void> {
  await sql`delete from ${sql.table(index)} where id = ${id}`.execute(db);
}

async function count(db: QueryExecutorProvider, { index, terms, signal }: Count): Promise<number[]> {
  const table = sql.table(index);
  const counts = terms.map(
    (term) => sql`(select count(*) from (
      select from ${table} where words @@ ${queryOf(term)}::tsquery limit ${sql.lit(MOST_COUNTED)}) as found)`,
  );
  const { rows } = await sql<{ counts: number[] }>`select array[${sql.join(counts)}] as counts`.execute(
    db,
    endedBy(signal),
  );
  return (rows[0]?.counts ?? []).map(Number);
}

/** Adds up the ranks of single words, because PostgreSQL's rank of a whole query ignores how rare they are. */
async function find(
  db: QueryExecutorProvider,
  { index, limit, mostRows = MOST_ROWS, signal, ...wanted }: Find,
): Promise<Found> {
  const rankOf = (query: string) => sql`ts_rank(${WEIGHTS}, words, ${query}::tsquery, ${BY_LENGTH})`;
  const ranks = [
    ...wanted.terms.map((term) => sql`${term.weight}::float8 * ${rankOf(queryOf(term))}`),
    ...wanted.phrases.map((forms) => rankOf(phraseOf(forms))),
  ];
  // Counted here, because a statement that only counts the rows reads them, too.
  const { rows } = await sql<{ id: number; size: number }>`
    select id, (count(*) over ())::integer as size from (
      select id, ${sql.join(ranks, sql` + `)} as rank from ${sql.table(index)}
      where ${conditionOf(wanted)}
      limit ${mostRows}) as found
    order by rank desc, ${evenly(sql.ref('id'))}, id limit ${limit}`.execute(db, endedBy(signal));
  return { ids: rows.map(({ id }) => id), size: rows[0]?.size ?? 0 };
}

function conditionOf({ among, except, ...wanted }: Sought): RawBuilder<unknown> {
  return sql`${columnOf(wanted)} @@ ${matchOf(wanted)}::tsquery ${among ? sql`and id in (${sql.join(among)})` : sql``}
    ${except ? sql`and id not in (${except})` : sql``}`;
}

type Sought = Omit<Find, 'index' | 'limit' | 'mostRows' | 'signal'>;

function idsOf({ index, ...wanted }: Wanted & Pick<Find, 'index' | 'labels'>): RawBuilder<number> {
  const query = matchOf(wanted);
  return sql<number>`(select id from ${sql.table(index)} where ${columnOf(wanted)} @@ ${query}::tsquery)`;
}

const columnOf = ({ scope }: Pick<Wanted, 'scope'>) => sql.ref(scope === 'heads' ? 'heads' : 'words');

function matchOf({ terms, need, phrases, labels }: Wanted & Pick<Find, 'labels'>): string {
  const anyOrAll = terms.map(queryOf).join(need === 'all' ? ' & ' : ' | ');
  const wanted = [...phrases.map(phraseOf), ...(anyOrAll === '' ? [] : [`(${anyOrAll})`])];
  return [...wanted, ...labels.map((label) => `'${label}'`)].join(' & ');
}

// Words contain only letters and digits, so quotes suffice.
const queryOf = ({ forms, isPrefix }: QueryTerm): string =>
  `(${forms.map((form) => (isPrefix ? `'${form}':*` : `'${form}'`)).join(' | ')})`;

const phraseOf = (forms: readonly (readonly string[])[]): string =>
  `(${forms.map((words) => `(${words.map((word) => `'${word}'`).join(' <-> ')})`).join(' | ')})`;

// Serialises the tsvector directly, because PostgreSQL's own parser would split our words.
function toVector(row: IndexedWords): string {
  const positions = new Map<string, string[]>();
  let position = 0;
  for (const [field, weight] of FIELDS) {
    for (const word of row[field].split(' ')) {
      if (word === '') continue; // the field is empty
      position += 1;
      const known = positions.get(word) ?? [];
      if (known.length < MOST_POSITIONS) known.push(`${Math.min(position, LAST_POSITION)}${weight}`);
      positions.set(word, known);
    }
    position += GAP;
  }
  // Labels are stored in the context, after everything else.
  for (const label of row.labels) positions.set(label, [`${LAST_POSITION}B`]);
  return [...positions].map(([word, places]) => `'${word}':${places.join(',')}`).join(' ');
}

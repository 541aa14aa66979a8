import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import { candidateTerms, type CountedTerm } from './candidate-terms.rules.js';
import type { TextQuery } from './text-query.rules.js';
import type { DialectIndex, IndexedWords, Scope, ScoredRow, TextSearch } from './text-search.js';

/** Adds a separate index of title and context, so that they can be searched without the body. */
export async function addHeadsIndex(db: QueryExecutorProvider, index: string): Promise<void> {
  await sql`alter table ${sql.table(index)} add column heads tsvector
    generated always as (ts_filter(words, '{a,b}')) stored`.execute(db);
  await sql`create index ${sql.ref(`${index}_heads`)} on ${sql.table(index)} using gin (heads)`.execute(db);
}

/** The text index on PostgreSQL: tsvectors of our own words and their positions, ranked by how close the words are. */
export const postgresIndex: DialectIndex = { key: sql.ref('id'), create, add, findAll, findSome };

const FIELDS = [
  ['title', 'A'],
  ['context', 'B'],
  ['body', 'D'],
] as const;
/** Weights of the labels D, C, B and A: the body, none, the context and the title. */
const WEIGHTS = sql`'{0.3, 0, 0.45, 1.0}'::float4[]`;
/** Makes long texts count less: divides the rank by 1 + the logarithm of the length. */
const BY_LENGTH = sql.lit(1);
/** Positions between two fields, so that no phrase matches across them. */
const GAP = 10;
const LAST_POSITION = 16_383;
const MOST_POSITIONS = 256;
/** Counting the rows that have a word stops here, to keep searches fast: such a word is too common to be telling. */
const COUNTED = 5_000;
const MOST_CANDIDATES = 3_000;
/**
 * Rows that are ranked at most; a query that matches more is too general for the ranking of all to be worth the time.
 */
const MOST_RANKED = 10_000;

async function create(db: QueryExecutorProvider, index: string, table: string): Promise<void> {
  await sql`create table ${sql.table(index)} (
    id bigint primary key references ${sql.table(table)} (id) on delete cascade, words tsvector not null)`.execute(db);
  await sql`create index ${sql.ref(`${index}_words`)} on ${sql.table(index)} using gin (words)`.execute(db);
}

async function add(db: QueryExecutorProvider, index: string, rows: readonly IndexedWords[]): Promise<void> {
  const values = rows.map((row) => sql`(${row.id}, ${toVector(row)}::tsvector)`);
  await sql`insert into ${sql.table(index)} (id, words) values ${sql.join(values)}`.execute(db);
}

function findAll(db: QueryExecutorProvider, search: TextSearch, scope: Scope): Promise<ScoredRow[]> {
  const { phrases, words } = toTerms(search.query);
  const query = [...phrases, ...words.map(({ query: word }) => word)].join(' & ');
  // A single word has no distance to others, which is what ts_rank_cd goes by.
  const isOne = phrases.length === 0 && words.length === 1;
  const rank = isOne ? sql`ts_rank` : sql`ts_rank_cd`;
  const score = sql`${rank}(${WEIGHTS}, words, ${query}::tsquery, ${BY_LENGTH})`;
  return best(db, search, { query, score, column: scope === 'heads' ? 'heads' : 'words' });
}

/**
 * Weights each word by its rarity, because ts_rank does not: when some of the words are enough, the rare ones must
 * decide.
 */
async function findSome(db: QueryExecutorProvider, search: TextSearch): Promise<ScoredRow[]> {
  const { phrases, words } = toTerms(search.query);
  const terms = await rarities(db, search.index, words);
  const wanted = candidateTerms(terms, MOST_CANDIDATES).map(({ query }) => query);
  if (wanted.length === 0) return [];
  const scores = terms.map(
    ({ query, rarity }) => sql`${rarity}::float4 * ts_rank(${WEIGHTS}, words, ${query}::tsquery, ${BY_LENGTH})`,
  );
  return best(db, search, {
    query: [...phrases, `(${wanted.join(' | ')})`].join(' & '),
    score: sql.join(scores, sql` + `),
    column: 'words',
  });
}

interface Ranking {
  /** In the syntax of tsquery. */
  query: string;
  score: RawBuilder<unknown>;
  column: 'heads' | 'words';
}

async function best(
  db: QueryExecutorProvider,
  { index, among, limit }: TextSearch,
  { query, score, column }: Ranking,
): Promise<ScoredRow[]> {
  const { rows } = await sql<ScoredRow>`
    select id, ${score} as score from (
      select id, words from ${sql.table(index)}
      where ${sql.ref(column)} @@ ${query}::tsquery ${among ? sql`and id in (${among})` : sql``}
      limit ${sql.lit(MOST_RANKED)}
    ) as found
    order by score desc, id limit ${limit}`.execute(db);
  return rows;
}

interface Term {
  /** In the syntax of tsquery. */
  query: string;
  /** LIKE pattern of the words that it finds. */
  pattern: string;
}

interface Rarity extends CountedTerm {
  rarity: number;
}

/**
 * Returns the rarity of each term that occurs at all. Takes the numbers of frequent words from the statistics of
 * PostgreSQL, and counts the rows of the others.
 */
async function rarities(db: QueryExecutorProvider, index: string, terms: readonly Term[]): Promise<Rarity[]> {
  if (terms.length === 0) return [];
  const table = sql.table(index);
  const counts = terms.map(
    ({ query, pattern }) => sql`coalesce(
      (select sum(frequency) * (select total from size) from frequent where word like ${pattern}),
      (select count(*) from (select from ${table} where words @@ ${query}::tsquery limit ${sql.lit(COUNTED)}) as found))`,
  );
  const { rows } = await sql<{ total: number; counts: number[] }>`
    with size as (
      select greatest(reltuples, ${sql.lit(COUNTED)})::float8 as total from pg_class where oid = ${index}::regclass
    ), frequent as materialized (
      select word, frequency from pg_stats,
        unnest(most_common_elems::text::text[], most_common_elem_freqs) as elements (word, frequency)
      where schemaname = current_schema() and tablename = ${index} and attname = 'words'
    )
    select total, array[${sql.join(counts)}] as counts from size`.execute(db);
  const known = rows[0] ?? { total: COUNTED, counts: [] };
  return terms.flatMap(({ query }, position) => {
    const count = Math.min(Number(known.counts[position] ?? 0), known.total);
    return count === 0 ? [] : [{ query, count, rarity: Math.log(1 + (known.total - count + 0.5) / (count + 0.5)) }];
  });
}

/**
 * Returns a tsquery for each phrase and word of the query. Words hold only letters and digits, so quotes are enough.
 */
function toTerms({ words, prefix, phrases }: TextQuery): { phrases: string[]; words: Term[] } {
  return {
    phrases: phrases.map((phrase) => `(${phrase.map((word) => `'${word}'`).join(' <-> ')})`),
    words: [
      ...words.map((word) => ({ query: `'${word}'`, pattern: word })),
      // Twice, so that the word itself counts more than a longer one.
      ...(prefix === null ? [] : [{ query: `('${prefix}' | '${prefix}':*)`, pattern: `${prefix}%` }]),
    ],
  };
}

// Writes the tsvector out, because PostgreSQL's own parser would split our words.
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
  return [...positions].map(([word, places]) => `'${word}':${places.join(',')}`).join(' ');
}

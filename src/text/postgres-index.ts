import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import { candidateTerms, type CountedTerm } from './candidate-terms.rules.js';
import type { TextQuery } from './text-query.rules.js';
import type { DialectIndex, IndexedWords, Scope, ScoredRow, TextSearch } from './text-search.js';

/** Adds what title and context hold as an index of its own, so that they can be searched alone. */
export async function addHeadsIndex(db: QueryExecutorProvider, index: string): Promise<void> {
  await sql`alter table ${sql.table(index)} add column heads tsvector
    generated always as (ts_filter(words, '{a,b}')) stored`.execute(db);
  await sql`create index ${sql.ref(`${index}_heads`)} on ${sql.table(index)} using gin (heads)`.execute(db);
}

/** The text index on PostgreSQL: tsvectors with our words and their positions, ranked by how near the words stand. */
export const postgresIndex: DialectIndex = { key: sql.ref('id'), create, add, findAll, findSome };

const FIELDS = [
  ['title', 'A'],
  ['context', 'B'],
  ['body', 'D'],
] as const;
/** Of the body (D), none (C), the context (B), the title (A). */
const WEIGHTS = sql`'{0.3, 0, 0.45, 1.0}'::float4[]`;
/** Long texts count less: divide by 1 + the logarithm of the length. */
const BY_LENGTH = sql.lit(1);
/** Fields are so far apart that no phrase spans two. */
const GAP = 10;
const LAST_POSITION = 16_383;
const MOST_POSITIONS = 256;
/** Beyond so many, a word is as good as everywhere. */
const COUNTED = 5_000;
const MOST_CANDIDATES = 3_000;
/** What more rows than this have in common does not tell them apart: of those, the first are ranked. */
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
  // How near they stand says nothing of a word alone.
  const isOne = phrases.length === 0 && words.length === 1;
  const rank = isOne ? sql`ts_rank` : sql`ts_rank_cd`;
  const score = sql`${rank}(${WEIGHTS}, words, ${query}::tsquery, ${BY_LENGTH})`;
  return best(db, search, { query, score, column: scope === 'heads' ? 'heads' : 'words' });
}

/** ts_rank knows nothing of rare and common words; where some words are enough, that decides. */
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
  /** A tsquery. */
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
  /** A tsquery. */
  query: string;
  /** Of the words that it finds, for LIKE. */
  pattern: string;
}

interface Rarity extends CountedTerm {
  rarity: number;
}

/** Of the terms that occur at all. PostgreSQL knows how frequent the frequent words are; the others are counted. */
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

/** A tsquery for each thing looked for. Words hold letters and digits only, so quoting is all they need. */
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

// Written out, not parsed from text: PostgreSQL's own parser would take our words apart.
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

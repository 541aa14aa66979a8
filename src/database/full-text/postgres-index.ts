import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import type { TextQuery } from './text-query.rules.js';
import type { Coverage, DialectIndex, IndexedWords, TextMatch, TextSearch } from './text-search.js';

/** The text index on PostgreSQL: tsvectors with our words and their positions, ranked by how near the words stand. */
export const postgresIndex: DialectIndex = { key: sql.ref('id'), create, add, find };

const FIELDS = [
  ['title', 'A'],
  ['context', 'B'],
  ['body', 'D'],
] as const;
/** Of the body (D), none (C), the context (B), the title (A). */
const WEIGHTS = sql`'{0.15, 0, 0.45, 1.0}'::float4[]`;
/** Long texts count less: divide by 1 + the logarithm of the length. */
const BY_LENGTH = sql.lit(1);
/** Fields are so far apart that no phrase spans two. */
const GAP = 10;
const LAST_POSITION = 16_383;
const MOST_POSITIONS = 256;
/** Beyond so many, a word is as good as everywhere. */
const COUNTED = 5_000;
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

async function find(db: QueryExecutorProvider, search: TextSearch, has: Coverage): Promise<Omit<TextMatch, 'has'>[]> {
  const { phrases, words } = toTerms(search.query);
  return has === 'all'
    ? findAll(db, search, [...phrases, ...words].join(' & '))
    : findSome(db, search, phrases, await rarities(db, search.index, words));
}

function findAll(db: QueryExecutorProvider, search: TextSearch, query: string): Promise<Omit<TextMatch, 'has'>[]> {
  return best(db, search, query, sql`ts_rank_cd(${WEIGHTS}, words, ${query}::tsquery, ${BY_LENGTH})`);
}

/** ts_rank knows nothing of rare and common words; where some words are enough, that decides. */
async function findSome(
  db: QueryExecutorProvider,
  search: TextSearch,
  phrases: string[],
  terms: Rarity[],
): Promise<Omit<TextMatch, 'has'>[]> {
  // What is everywhere finds nothing by itself, if there is something better.
  const telling = terms.filter(({ isCommon }) => !isCommon);
  const wanted = (telling.length > 0 ? telling : terms).map(({ term }) => term);
  if (wanted.length === 0) return [];
  const scores = terms.map(
    ({ term, rarity }) => sql`${rarity}::float4 * ts_rank(${WEIGHTS}, words, ${term}::tsquery, ${BY_LENGTH})`,
  );
  return best(db, search, [...phrases, `(${wanted.join(' | ')})`].join(' & '), sql.join(scores, sql` + `));
}

async function best(
  db: QueryExecutorProvider,
  { index, among, limit }: TextSearch,
  query: string,
  score: RawBuilder<unknown>,
): Promise<Omit<TextMatch, 'has'>[]> {
  const { rows } = await sql<Omit<TextMatch, 'has'>>`
    select id, ${score} as score from (
      select id, words from ${sql.table(index)}
      where words @@ ${query}::tsquery ${among ? sql`and id in (${among})` : sql``} limit ${sql.lit(MOST_RANKED)}
    ) as found
    order by score desc, id limit ${limit}`.execute(db);
  return rows;
}

interface Rarity {
  term: string;
  rarity: number;
  isCommon: boolean;
}

/** Of the terms that occur at all. */
async function rarities(db: QueryExecutorProvider, index: string, terms: string[]): Promise<Rarity[]> {
  if (terms.length === 0) return [];
  const counts = terms.map(
    (term) => sql`(select count(*) from (
      select 1 from ${sql.table(index)} where words @@ ${term}::tsquery limit ${sql.lit(COUNTED)}) as found)`,
  );
  const total = sql`(select greatest(reltuples, ${sql.lit(COUNTED)}) from pg_class where oid = ${index}::regclass)`;
  const { rows } = await sql<{ total: number; counts: number[] }>`
    select ${total} as total, array[${sql.join(counts)}] as counts`.execute(db);
  const known = rows[0] ?? { total: COUNTED, counts: [] };
  return terms.flatMap((term, position) => {
    const count = Number(known.counts[position] ?? 0);
    const rarity = Math.log(1 + (known.total - count + 0.5) / (count + 0.5));
    return count === 0 ? [] : [{ term, rarity, isCommon: count >= COUNTED }];
  });
}

/** A tsquery for each thing looked for. Words hold letters and digits only, so quoting is all they need. */
function toTerms({ words, prefix, phrases }: TextQuery): { phrases: string[]; words: string[] } {
  return {
    phrases: phrases.map((phrase) => `(${phrase.map((word) => `'${word}'`).join(' <-> ')})`),
    words: [
      ...words.map((word) => `'${word}'`),
      // Twice, so that the word itself counts more than a longer one.
      ...(prefix === null ? [] : [`('${prefix}' | '${prefix}':*)`]),
    ],
  };
}

// Written out, not parsed from text: PostgreSQL's own parser would take our words apart.
function toVector(row: IndexedWords): string {
  const positions = new Map<string, string[]>();
  let position = 0;
  for (const [field, weight] of FIELDS) {
    for (const word of row[field]) {
      position += 1;
      const known = positions.get(word) ?? [];
      if (known.length < MOST_POSITIONS) known.push(`${Math.min(position, LAST_POSITION)}${weight}`);
      positions.set(word, known);
    }
    position += GAP;
  }
  return [...positions].map(([word, places]) => `'${word}':${places.join(',')}`).join(' ');
}

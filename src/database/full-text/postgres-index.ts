import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import type { TextQuery } from './text-query.rules.js';
import type { Coverage, DialectIndex, IndexedWords, TextMatch, TextSearch } from './text-search.js';

/** The text index on PostgreSQL: tsvectors with our words and their positions, ranked by how near the words stand. */
export const postgresIndex: DialectIndex = { key: sql.ref('id'), create, add, find };

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

async function create(db: QueryExecutorProvider, index: string, table: string): Promise<void> {
  await sql`create table ${sql.table(index)} (
    id bigint primary key references ${sql.table(table)} (id) on delete cascade, words tsvector not null)`.execute(db);
  await sql`create index ${sql.ref(`${index}_words`)} on ${sql.table(index)} using gin (words)`.execute(db);
}

async function add(db: QueryExecutorProvider, index: string, id: number, words: IndexedWords): Promise<void> {
  const vector = toVector([
    { words: words.title, weight: 'A' },
    { words: words.context, weight: 'B' },
    { words: words.body, weight: 'D' },
  ]);
  await sql`insert into ${sql.table(index)} (id, words) values (${id}, ${vector}::tsvector)`.execute(db);
}

async function find(db: QueryExecutorProvider, search: TextSearch, has: Coverage): Promise<Omit<TextMatch, 'has'>[]> {
  const { phrases, words } = toTerms(search.query);
  const wanted = words.length === 0 ? [] : [`(${words.join(has === 'all' ? ' & ' : ' | ')})`];
  const query = sql`${[...phrases, ...wanted].join(' & ')}::tsquery`;
  const score =
    has === 'all'
      ? sql`ts_rank_cd(${WEIGHTS}, words, ${query}, ${BY_LENGTH})`
      : await byRarity(db, search.index, words);
  const { rows } = await sql<Omit<TextMatch, 'has'>>`
    select id, ${score} as score from ${sql.table(search.index)}
    where words @@ ${query} ${search.among ? sql`and id in (${search.among})` : sql``}
    order by score desc, id limit ${search.limit}`.execute(db);
  return rows;
}

/** ts_rank knows nothing of rare and common words; where some words are enough, that decides. */
async function byRarity(db: QueryExecutorProvider, index: string, terms: string[]): Promise<RawBuilder<unknown>> {
  const table = sql.table(index);
  const counts = terms.map(
    (term) =>
      sql`(select count(*) from (select 1 from ${table} where words @@ ${term}::tsquery limit ${sql.lit(COUNTED)}) as found)`,
  );
  const all = sql`(select count(*) from ${table})`;
  const { rows } = await sql<{
    total: number;
    counts: number[];
  }>`select ${all} as total, array[${sql.join(counts)}] as counts`.execute(db);
  const { total = 0, counts: found = [] } = rows[0] ?? {};
  const parts = terms.map((term, position) => {
    const count = Number(found[position] ?? 0);
    const rarity = Math.log(1 + (total - count + 0.5) / (count + 0.5));
    return sql`${rarity}::float4 * ts_rank(${WEIGHTS}, words, ${term}::tsquery, ${BY_LENGTH})`;
  });
  return sql`(${sql.join(parts, sql` + `)})`;
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
function toVector(fields: { words: string[]; weight: 'A' | 'B' | 'D' }[]): string {
  const positions = new Map<string, string[]>();
  let position = 0;
  for (const { words, weight } of fields) {
    for (const word of words) {
      position += 1;
      const known = positions.get(word) ?? [];
      if (known.length < MOST_POSITIONS) known.push(`${Math.min(position, LAST_POSITION)}${weight}`);
      positions.set(word, known);
    }
    position += GAP;
  }
  return [...positions].map(([word, places]) => `'${word}':${places.join(',')}`).join(' ');
}

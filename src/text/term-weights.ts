import type { QueryExecutorProvider } from 'kysely';
import type { Language } from './language.rules.js';
import { weightOf } from './ranking.rules.js';
import type { DialectIndex, QueryTerm, RatedTerm } from './text-search.js';
import type { TextQuery } from './text-query.rules.js';
import { isDense, termOf, unaccented } from './words.rules.js';
import type { Known } from './index-statistics.js';

/** A frequent term is not counted again for each search. */
const FREQUENT = 1_000;
const MOST_REMEMBERED = 2_000;
const SHORTEST_PREFIX = 2;

/** Returns the words of a query as the index holds them, with how much each tells. */
export async function rateTerms(
  db: QueryExecutorProvider,
  dialect: DialectIndex,
  { index, query, known }: { index: string; query: TextQuery; known: Known },
): Promise<RatedTerm[]> {
  const { words, last, phrases } = query;
  const { statistics } = known;
  const languages = statistics.languages.length === 0 ? (['en'] as const) : statistics.languages;
  const wanted = [...new Set([...words, ...phrases.flat()])];
  const terms = wanted.map((word) => (isLoneCharacter(word) ? prefixOf(word) : termFor(word, languages)));
  const count = (some: readonly QueryTerm[]) => counted(db, dialect, { index, known, terms: some });
  const counts = await count(terms);
  const at = last === null || last.length < SHORTEST_PREFIX ? -1 : wanted.indexOf(last);
  // A last word that no row has may be one that is still being typed.
  if (last !== null && counts[at] === 0 && !isDense(last)) {
    const prefix = prefixOf(last);
    terms[at] = prefix;
    counts[at] = (await count([prefix]))[0] ?? 0;
  }
  return terms.map((term, position) => {
    const rows = counts[position] ?? 0;
    return { ...term, count: rows, weight: rows === 0 ? 0 : weightOf(rows, statistics.rows) };
  });
}

const formsOf = (word: string, languages: readonly Language[]): string[] => [
  ...new Set(languages.map((language) => termOf(word, language))),
];

const termFor = (word: string, languages: readonly Language[]): QueryTerm => ({
  forms: formsOf(word, languages),
  isPrefix: false,
});

const prefixOf = (word: string): QueryTerm => ({ forms: [unaccented(word)], isPrefix: true });

// Texts are indexed by pairs of such characters, so a lone one is the beginning of a pair.
const isLoneCharacter = (word: string): boolean => isDense(word) && [...word].length === 1;

async function counted(
  db: QueryExecutorProvider,
  dialect: DialectIndex,
  { index, known, terms }: { index: string; known: Known; terms: readonly QueryTerm[] },
): Promise<number[]> {
  const { statistics, frequent } = known;
  const unknown = terms.filter((term) => !frequent.has(keyOf(term)));
  const counts = unknown.length === 0 ? [] : await dialect.count(db, index, unknown, statistics.rows);
  const found = new Map(unknown.map((term, position) => [keyOf(term), counts[position] ?? 0]));
  for (const [key, count] of found) {
    if (count >= FREQUENT && frequent.size < MOST_REMEMBERED) frequent.set(key, count);
  }
  return terms.map((term) => found.get(keyOf(term)) ?? frequent.get(keyOf(term)) ?? 0);
}

const keyOf = ({ forms, isPrefix }: QueryTerm): string => `${forms.join(' ')}${isPrefix ? '*' : ''}`;

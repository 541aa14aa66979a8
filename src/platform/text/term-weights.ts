import type { QueryExecutorProvider } from 'kysely';
import { boostOf } from './common-words.rules.js';
import type { Language } from './language.rules.js';
import { shareOf } from './frequency-sample.js';
import { weightOf } from './ranking.rules.js';
import type { Count, DialectIndex, QueryTerm, RatedTerm, TextSearch } from './text-search.js';
import { hashOf } from './word-counts.rules.js';
import { isDense, termOf, unaccented } from './words.rules.js';
import type { CachedStatistics } from './index-statistics.js';

/** Counts of frequent terms are cached. */
const FREQUENT = 1_000;
const MOST_REMEMBERED = 2_000;
const SHORTEST_PREFIX = 2;

/** Returns the words of a query in index form, with their weights. */
export async function rateTerms(
  db: QueryExecutorProvider,
  dialect: DialectIndex,
  { index, query, signal, known }: Pick<TextSearch, 'index' | 'query' | 'signal'> & { known: CachedStatistics },
): Promise<RatedTerm[]> {
  const { words, last, phrases } = query;
  const { statistics } = known;
  const languages = statistics.languages.length === 0 ? (['en'] as const) : statistics.languages;
  const wanted = [...new Set([...words, ...phrases.flat()])];
  const terms = wanted.map((word) => (isLoneCharacter(word) ? prefixOf(word) : termFor(word, languages)));
  const count = (some: readonly QueryTerm[]) => counted(db, dialect, { index, signal, known, terms: some });
  const counts = await count(terms);
  const at = last === null || last.length < SHORTEST_PREFIX ? -1 : wanted.indexOf(last);
  // A last word without matches may be incomplete.
  if (last !== null && counts[at] === 0 && !isDense(last)) {
    const prefix = prefixOf(last);
    terms[at] = prefix;
    counts[at] = (await count([prefix]))[0] ?? 0;
  }
  return terms.map((term, position) => {
    const rows = counts[position] ?? 0;
    return { ...term, count: rows, weight: rows === 0 ? 0 : term.boost * weightOf(rows, statistics.rows) };
  });
}

const formsOf = (word: string, languages: readonly Language[]): string[] => [
  ...new Set(languages.map((language) => termOf(word, language))),
];

const termFor = (word: string, languages: readonly Language[]): QueryTerm => ({
  forms: formsOf(word, languages),
  isPrefix: false,
  boost: boostOf(word),
});

const prefixOf = (word: string): QueryTerm => ({ forms: [unaccented(word)], isPrefix: true, boost: boostOf(word) });

// Texts in such scripts are indexed by pairs of characters, so a single one is the start of a pair.
const isLoneCharacter = (word: string): boolean => isDense(word) && [...word].length === 1;

async function counted(
  db: QueryExecutorProvider,
  dialect: DialectIndex,
  { index, signal, known, terms }: Count & { known: CachedStatistics },
): Promise<number[]> {
  const { frequent } = known;
  const found = new Map<string, number>();
  const uncounted: QueryTerm[] = [];
  for (const term of terms) {
    const count = frequent.get(keyOf(term)) ?? estimateOf(term, known);
    if (count === null) uncounted.push(term);
    else found.set(keyOf(term), count);
  }
  const counts = uncounted.length === 0 ? [] : await dialect.count(db, { index, signal, terms: uncounted });
  uncounted.forEach((term, position) => found.set(keyOf(term), counts[position] ?? 0));
  for (const [key, count] of found) {
    if (count >= FREQUENT && frequent.size < MOST_REMEMBERED) frequent.set(key, count);
  }
  return terms.map((term) => found.get(keyOf(term)) ?? 0);
}

/** Estimates the number of rows with a frequent term of a large index; null = it must be counted. */
function estimateOf({ forms, isPrefix }: QueryTerm, { sample, statistics }: CachedStatistics): number | null {
  if (isPrefix || sample === null) return null;
  const share = shareOf(forms.map(hashOf), sample);
  return share === null ? null : Math.round(share * statistics.rows);
}

const keyOf = ({ forms, isPrefix }: QueryTerm): string => `${forms.join(' ')}${isPrefix ? '*' : ''}`;

import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import { dialectOf, lockedUntilCommit, lockUntilCommit } from '../sql/dialect.js';
import { candidateTerms } from './candidate-terms.rules.js';
import { addCounts, countsOf, createCounts, type IndexStatistics } from './counts.table.js';
import { statisticsOf } from './index-statistics.js';
import type { Label } from './label.rules.js';
import type { Language } from './language.rules.js';
import { postgresIndex } from './postgres-index.js';
import { relevanceOf, weightOf, type WeighedTerm } from './ranking.rules.js';
import { levelLabels } from './spread.rules.js';
import { findSpread } from './spread-search.js';
import { sqliteIndex } from './sqlite-index.js';
import { rateTerms } from './term-weights.js';
import { isEmptyQuery } from './text-query.rules.js';
import {
  type DialectIndex,
  type Find,
  type IndexedWords,
  MOST_ROWS,
  type RatedTerm,
  type TextMatch,
  type TextSearch,
} from './text-search.js';
import { type FieldLengths, hashOf } from './word-counts.rules.js';
import { termOf } from './words.rules.js';

/**
 * Creates the full-text index of a table with a numeric key `id`; deleting a row also deletes its index entry. On SQLite the
 * index is two FTS5 tables, on PostgreSQL a table of tsvectors: these find the rows that contain the words. An additional table
 * with the word counts of each row makes both databases rank alike.
 */
export async function createTextIndex(db: QueryExecutorProvider, index: string, table: string): Promise<void> {
  await dialectIndex(db).create(db, index, table);
  await createCounts(db, index, table);
}

/** Adds rows to the index; they must not be in it yet. */
export async function addToTextIndex(
  db: QueryExecutorProvider,
  index: string,
  rows: readonly IndexedWords[],
): Promise<void> {
  if (rows.length === 0) return;
  const labelled = rows.map((row) => ({ ...row, labels: [...row.labels, ...levelLabels(row.id)] }));
  await dialectIndex(db).add(db, index, labelled);
  await addCounts(db, index, rows);
}

export async function removeFromTextIndex(db: QueryExecutorProvider, index: string, id: number): Promise<void> {
  await dialectIndex(db).remove(db, index, id);
  await sql`delete from ${sql.table(`${index}_counts`)} where id = ${id}`.execute(db);
}

/** Defines which rows of a table count as indexed: those in the index, with this label if given. */
interface Indexed {
  index: string;
  table: string;
  label?: Label;
}

/** Rows that are not in an index, among those checked. */
export interface Unindexed {
  ids: number[];
  /** Where to continue; null = all rows are checked. */
  next: number | null;
}

/** Maximum number of rows that a statement checks, to keep it short. */
const CHECKED_AT_ONCE = 2_000;

/** Returns the rows after one that are not in the index. @param after the id of that row; 0 = from the start */
export async function listUnindexed(db: QueryExecutorProvider, indexed: Indexed, after: number): Promise<Unindexed> {
  const { rows } = await sql<{ id: number }>`
    select id from ${sql.table(indexed.table)} where id > ${after} order by id limit ${CHECKED_AT_ONCE}`.execute(db);
  const last = rows.at(-1);
  if (!last) return { ids: [], next: null };
  const { rows: found } = await sql<{ id: number }>`
    select id from ${idsIn(db, indexed)} as indexed where id > ${after} and id <= ${last.id}`.execute(db);
  const known = new Set(found.map(({ id }) => id));
  const ids = rows.map(({ id }) => id).filter((id) => !known.has(id));
  return { ids, next: rows.length < CHECKED_AT_ONCE ? null : last.id };
}

/**
 * Returns the ids of at most `limit` rows that are not in the index, and locks them. Until the transaction ends, nobody else
 * changes them or builds this index.
 * @param among only these rows; absent = all, which takes long for a large table
 */
export async function lockUnindexed(
  transaction: QueryExecutorProvider,
  { limit, among, ...indexed }: Indexed & { limit: number; among?: readonly number[] },
): Promise<number[]> {
  if (among?.length === 0) return [];
  // Taken first, so that the statement below sees what another replica has indexed.
  await lockUntilCommit(transaction, indexed.index);
  const isAmong = among ? sql`id in (${sql.join(among)})` : sql`true`;
  // A range, because SQLite searches its index once for each id of a list.
  const isNear = among ? sql`id between ${Math.min(...among)} and ${Math.max(...among)}` : sql`true`;
  const { rows } = await sql<{ id: number }>`
    select id from ${sql.table(indexed.table)}
    where ${isAmong} and id not in (select id from ${idsIn(transaction, indexed)} as indexed where ${isNear})
    order by id limit ${limit} ${lockedUntilCommit(dialectOf(transaction))}`.execute(transaction);
  return rows.map(({ id }) => id);
}

const idsIn = (db: QueryExecutorProvider, { index, label }: Indexed): RawBuilder<unknown> =>
  label === undefined
    ? sql.table(`${index}_counts`)
    : dialectIndex(db).idsOf({ index, ...NO_WORDS, scope: 'heads', labels: [label] });

const NO_WORDS = { terms: [], need: 'all', phrases: [] } as const;

/** The results of a search, and its words. */
export interface TextMatches {
  /** Best first. */
  matches: RankedMatch[];
  terms: readonly WeighedTerm[];
  /** The average field lengths of all rows. */
  averages: FieldLengths;
}

interface RankedMatch extends TextMatch {
  counts: Uint8Array;
}

/** Minimum number of rows to rank. */
const POOL = 300;
/** Minimum score of a match with only some of the words, as a share of the best score. */
const FLOOR = 0.2;

/** Returns the best matches: rows with all the phrases and some of the words of the query. */
export async function searchTextIndex(db: QueryExecutorProvider, search: TextSearch): Promise<TextMatches> {
  const { index, query, limit, signal } = search;
  if (isEmptyQuery(query)) return { matches: [], terms: [], averages: { title: 0, context: 0, body: 0 } };
  const known = await statisticsOf(db, index);
  const { averages, languages } = known.statistics;
  const rated = await rateTerms(db, dialectIndex(db), { index, query, signal, known });
  const phrases = query.phrases.map((phrase) => phraseForms(phrase, languages));
  const compounds = await compoundScores(db, search, { phrases, rated, ...known.statistics });
  const promising = await poolOf(db, search, { phrases, rated });
  const pool = [...new Set([...promising, ...compounds.flatMap((scores) => [...scores.keys()])])];
  const terms = rated.map(({ forms, weight, boost, isPrefix }) => ({
    hashes: isPrefix ? [] : forms.map(hashOf),
    weight,
    boost,
  }));
  const begun = await prefixScores(db, search, { rated, pool });
  const ranked = (await countsOf(db, index, pool, signal))
    .map(({ id, counts }): RankedMatch => {
      const { score, found } = relevanceOf(counts, terms, averages);
      const beginnings = begun.flatMap((scores) => scores.get(id) ?? []);
      const joined = compounds.flatMap((scores) => scores.get(id) ?? []);
      const has = found + beginnings.length === terms.length ? 'all' : 'some';
      return { id, counts, score: [...beginnings, ...joined].reduce((sum, one) => sum + one, score), has };
    })
    .sort((a, b) => b.score - a.score || b.id - a.id);
  const floor = (ranked[0]?.score ?? 0) * FLOOR;
  return {
    matches: ranked.filter(({ has, score }) => has === 'all' || score >= floor).slice(0, limit),
    terms,
    averages,
  };
}

/** Returns a subquery with the ids of all rows that contain all the phrases and words of a query. */
export async function idsWithAll(
  db: QueryExecutorProvider,
  { index, query }: Pick<TextSearch, 'index' | 'query'>,
): Promise<RawBuilder<number>> {
  if (isEmptyQuery(query)) return sql<number>`(select 0 where 1 = 0)`;
  const known = await statisticsOf(db, index);
  const terms = await rateTerms(db, dialectIndex(db), { index, query, known });
  const phrases = query.phrases.map((phrase) => phraseForms(phrase, known.statistics.languages));
  return dialectIndex(db).idsOf({ index, terms, need: 'all', phrases, scope: 'everywhere', labels: [] });
}

/** Returns the ids of candidate rows: with all the words, with all in the title and context, and with the rarest words. */
async function poolOf(
  db: QueryExecutorProvider,
  { index, labels, except, limit, mostRows, signal }: TextSearch,
  { phrases, rated }: { phrases: Find['phrases']; rated: readonly RatedTerm[] },
): Promise<number[]> {
  const terms = rated.filter(({ count }) => count > 0);
  const limits = { index, labels, except, limit: Math.max(limit, POOL), mostRows, signal };
  const find = (wanted: Pick<Find, 'terms' | 'need' | 'scope'>) => {
    const counts = wanted.terms.map(({ count }) => count);
    const most = wanted.need === 'all' ? Math.min(...counts) : counts.reduce((sum, count) => sum + count, 0);
    return findSpread(db, dialectIndex(db), { ...limits, phrases, ...wanted }, most);
  };
  if (terms.length === 0) return [];
  // Up to this many matches, all are found in any case.
  const mayBeMany = Math.min(...terms.map(({ count }) => count)) >= POOL;
  const found = await Promise.all([
    find({ terms, need: 'all', scope: 'everywhere' }),
    mayBeMany ? find({ terms, need: 'all', scope: 'heads' }) : [],
    terms.length > 1 ? find({ terms: candidateTerms(terms, MOST_ROWS), need: 'any', scope: 'everywhere' }) : [],
  ]);
  return [...new Set(found.flat())];
}

/** Returns the score that prefix terms add to the rows with a matching word, by id: the same as for a single occurrence of a word. */
async function prefixScores(
  db: QueryExecutorProvider,
  { index, signal }: TextSearch,
  { rated, pool }: { rated: readonly RatedTerm[]; pool: readonly number[] },
): Promise<Map<number, number>[]> {
  const prefixes = rated.filter(({ isPrefix, count }) => isPrefix && count > 0);
  if (pool.length === 0) return [];
  return Promise.all(
    prefixes.map(async (term) => {
      const scores = new Map<number, number>();
      for (const scope of ['everywhere', 'heads'] as const) {
        const find: Find = {
          index,
          labels: [],
          except: null,
          among: pool,
          limit: pool.length,
          signal,
          terms: [term],
          need: 'all',
          phrases: [],
          scope,
        };
        for (const id of (await dialectIndex(db).find(db, find)).ids) scores.set(id, term.weight * ONCE[scope]);
      }
      return scores;
    }),
  );
}

type Compounding = Pick<Find, 'phrases'> &
  Pick<IndexStatistics, 'languages' | 'rows'> & { rated: readonly RatedTerm[] };

/** Returns the score that compounds add to the rows in which their words are adjacent, by id. */
async function compoundScores(
  db: QueryExecutorProvider,
  { index, labels, except, limit, mostRows, query, signal }: TextSearch,
  { phrases, rated, languages, rows }: Compounding,
): Promise<Map<number, number>[]> {
  const limits = { index, labels, except, limit: Math.max(limit, POOL), mostRows, signal };
  const find = { ...limits, terms: [], need: 'all', scope: 'everywhere' } as const;
  return Promise.all(
    query.compounds.map(async (words) => {
      const forms = phraseForms(words, languages);
      const most = Math.min(rows, ...rated.filter(isIn(forms)).map(({ count }) => count));
      const ids = await findSpread(db, dialectIndex(db), { ...find, phrases: [...phrases, forms] }, most);
      return new Map(ids.map((id) => [id, COMPOUND * weightOf(ids.length, rows)]));
    }),
  );
}

/** Returns a function that tells whether a term is part of a phrase. */
const isIn = (phrase: readonly (readonly string[])[]) => {
  const words = new Set(phrase.flat());
  return ({ forms }: RatedTerm): boolean => forms.some((form) => words.has(form));
};

const COMPOUND = 0.5;
const ONCE = { everywhere: 0.5, heads: 0.75 };

const phraseForms = (phrase: readonly string[], languages: readonly Language[]): string[][] => {
  const inEach = (languages.length === 0 ? (['en'] as const) : languages).map((language) =>
    phrase.map((word) => termOf(word, language)),
  );
  return [...new Map(inEach.map((forms) => [forms.join(' '), forms])).values()];
};

const dialectIndex = (db: QueryExecutorProvider): DialectIndex =>
  dialectOf(db) === 'sqlite' ? sqliteIndex : postgresIndex;

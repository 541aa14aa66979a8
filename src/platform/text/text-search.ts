import type { QueryExecutorProvider, RawBuilder } from 'kysely';
import type { Label } from './label.rules.js';
import type { TextQuery } from './text-query.rules.js';
import type { IndexedText } from './word-counts.rules.js';

export interface TextSearch {
  index: string;
  query: TextQuery;
  limit: number;
  /** The rows must have all of them. */
  labels: readonly Label[];
  /** A single-column subquery with the ids of rows to exclude, which should be few; null = none. */
  except: RawBuilder<unknown> | null;
  /** Maximum number of rows that a statement considers; absent = {@link MOST_ROWS}. */
  mostRows?: number | undefined;
  /** Cancels the search. */
  signal?: AbortSignal | undefined;
}

/** Whether a match contains all words of the query, or only some of them. */
export type Coverage = 'all' | 'some';

/** Where to search: only in the title and the context, or also in the body. */
type Scope = 'heads' | 'everywhere';

/** A row that matches. */
export interface TextMatch {
  id: number;
  /** Higher is better; comparable within one search. */
  score: number;
  has: Coverage;
}

/** The indexed words of the row with this id. */
export interface IndexedWords extends IndexedText {
  id: number;
}

/** A word of a query in index form. */
export interface QueryTerm {
  /** Its stem in each language of the index. */
  forms: readonly string[];
  /** True when any word that starts with one of the forms matches. */
  isPrefix: boolean;
  /** Its specificity regardless of frequency: from 0 to 1. */
  boost: number;
}

export interface RatedTerm extends QueryTerm {
  /** Number of rows that contain it. */
  count: number;
  /** Its weight for ranking; 0 = none. */
  weight: number;
}

/** The conditions for rows: all of the phrases, and all or any of the terms. */
export interface Wanted {
  terms: readonly RatedTerm[];
  need: 'all' | 'any';
  /** Each phrase as its possible forms. */
  phrases: readonly (readonly (readonly string[])[])[];
  scope: Scope;
}

/** Maximum number of rows to consider; a query with more matches is too general for considering all to be worth the time. */
export const MOST_ROWS = 4_000;

export type Find = Pick<TextSearch, 'index' | 'labels' | 'except' | 'limit' | 'mostRows' | 'signal'> &
  Wanted & {
    /** The ids of the rows to search; absent = all. */
    among?: readonly number[];
  };

export interface Found {
  /** The ids of candidate rows, in no particular order. */
  ids: number[];
  /** Number of matching rows, counted up to the number of rows to consider. */
  size: number;
}

export interface Count extends Pick<TextSearch, 'index' | 'signal'> {
  /** At least one. */
  terms: readonly QueryTerm[];
}

/** The operations on a text index that differ between the two databases. */
export interface DialectIndex {
  create(db: QueryExecutorProvider, index: string, table: string): Promise<void>;
  /** Adds rows to the index. @param rows at least one */
  add(db: QueryExecutorProvider, index: string, rows: readonly IndexedWords[]): Promise<void>;
  /** Removes a row from the index, if it is there. */
  remove(db: QueryExecutorProvider, index: string, id: number): Promise<void>;
  /** Returns the number of rows with each of the terms. */
  count(db: QueryExecutorProvider, count: Count): Promise<number[]>;
  /** Finds candidate rows. */
  find(db: QueryExecutorProvider, find: Find): Promise<Found>;
  /** Returns a subquery of one column, `id`, with the ids of all matching rows. */
  idsOf(wanted: Wanted & Pick<TextSearch, 'index' | 'labels'>): RawBuilder<number>;
}

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
  /** A subquery of one column with the ids of the rows to leave out, which should be few; null = none. */
  except: RawBuilder<unknown> | null;
  /** Rows that a statement looks at, at most; left out = {@link LOOKED_AT}. */
  lookedAt?: number | undefined;
  /** Ends the search. */
  signal?: AbortSignal | undefined;
}

/** Whether a match has all words of the query, or only some of them. */
export type Coverage = 'all' | 'some';

/** Where to search: in the title and the context only, or in the body as well. */
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

/** A word of a query as the index holds it. */
export interface QueryTerm {
  /** Its stem in each language that the index has. */
  forms: readonly string[];
  /** Any word that begins like one of the forms will do. */
  isPrefix: boolean;
  /** How much it tells by itself, however few rows have it: from 0 to 1. */
  worth: number;
}

export interface RatedTerm extends QueryTerm {
  /** How many rows have it. */
  count: number;
  /** How much it tells about the rows that have it; 0 = nothing. */
  weight: number;
}

/** What the rows must have: all of the phrases, and all or any of the terms. */
export interface Wanted {
  terms: readonly RatedTerm[];
  need: 'all' | 'any';
  /** Each as the forms that it may have. */
  phrases: readonly (readonly (readonly string[])[])[];
  scope: Scope;
}

/** Rows that are looked at; a query that matches more is too general for looking at all to be worth the time. */
export const LOOKED_AT = 4_000;

export type Find = Pick<TextSearch, 'index' | 'labels' | 'except' | 'limit' | 'lookedAt' | 'signal'> &
  Wanted & {
    /** The ids of the rows to search among; left out = all. */
    among?: readonly number[];
  };

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
  /** Returns how many rows have each of the terms. */
  count(db: QueryExecutorProvider, count: Count): Promise<number[]>;
  /** Returns the ids of the most promising rows, in no particular order. */
  find(db: QueryExecutorProvider, find: Find): Promise<number[]>;
  /** Returns how many rows have what is wanted; no more than may be looked at. */
  size(db: QueryExecutorProvider, find: Find): Promise<number>;
  /** Returns a subquery of one column, `id`, with the ids of all rows that have what is wanted. */
  idsOf(wanted: Wanted & Pick<TextSearch, 'index' | 'labels'>): RawBuilder<number>;
}

import type { QueryExecutorProvider, RawBuilder } from 'kysely';
import type { TextQuery } from './text-query.rules.js';

/** What is indexed of one row: a word of the title weighs most, then one of the context, then one of the body. */
export interface IndexedText {
  id: number;
  title: string;
  context: string;
  body: string;
}

export interface TextSearch {
  index: string;
  query: TextQuery;
  limit: number;
  /** The ids to search among: a query of one column. Null = all. */
  among: RawBuilder<unknown> | null;
}

/** Whether a match has all the words that were looked for, or some of them. */
export type Coverage = 'all' | 'some';

/** A row that was found. */
export interface TextMatch {
  id: number;
  has: Coverage;
  /** Higher is better; comparable among matches with the same `has`, within one search. */
  score: number;
}

/** The words of each field of a row, as they are indexed. */
export interface IndexedWords {
  id: number;
  title: string[];
  context: string[];
  body: string[];
}

/** What the two databases do differently. */
export interface DialectIndex {
  /** The column that holds the id of the indexed row. */
  readonly key: RawBuilder<unknown>;
  create(db: QueryExecutorProvider, index: string, table: string): Promise<void>;
  /** At least one. */
  add(db: QueryExecutorProvider, index: string, rows: readonly IndexedWords[]): Promise<void>;
  /** The best come first. */
  find(db: QueryExecutorProvider, search: TextSearch, has: Coverage): Promise<Omit<TextMatch, 'has'>[]>;
}

import type { QueryExecutorProvider, RawBuilder } from 'kysely';
import type { TextQuery } from './text-query.rules.js';
import type { IndexedFields } from './words.rules.js';

export interface TextSearch {
  index: string;
  query: TextQuery;
  limit: number;
  /** A subquery of one column with the ids to search among; null = all. */
  among: RawBuilder<unknown> | null;
}

/** Whether a match has all words of the query, or only some of them. */
export type Coverage = 'all' | 'some';

/** Where to search: in the title and the context only, or in the body as well. */
export type Scope = 'heads' | 'everywhere';

export interface ScoredRow {
  id: number;
  /** Higher is better; comparable within one search. */
  score: number;
}

/** A row that matches. Scores are comparable among matches with the same `has`. */
export interface TextMatch extends ScoredRow {
  has: Coverage;
}

/** The indexed words of the row with this id. */
export interface IndexedWords extends IndexedFields {
  id: number;
}

/** The operations on a text index that differ between the two databases. */
export interface DialectIndex {
  /** The column that holds the id of the indexed row. */
  readonly key: RawBuilder<unknown>;
  create(db: QueryExecutorProvider, index: string, table: string): Promise<void>;
  /** Adds rows to the index. @param rows at least one */
  add(db: QueryExecutorProvider, index: string, rows: readonly IndexedWords[]): Promise<void>;
  /** Returns the rows that have all phrases and words, the best first. */
  findAll(db: QueryExecutorProvider, search: TextSearch, scope: Scope): Promise<ScoredRow[]>;
  /** Returns the rows that have all phrases and some of the words, the best first. */
  findSome(db: QueryExecutorProvider, search: TextSearch): Promise<ScoredRow[]>;
}

import type { QueryExecutorProvider, RawBuilder } from 'kysely';
import type { TextQuery } from './text-query.rules.js';
import type { IndexedFields } from './words.rules.js';

export interface TextSearch {
  index: string;
  query: TextQuery;
  limit: number;
  /** The ids to search among: a query of one column. Null = all. */
  among: RawBuilder<unknown> | null;
}

/** Whether a match has all the words that were looked for, or some of them. */
export type Coverage = 'all' | 'some';

/** Where the words are looked for: in the title and the context, or in the body as well. */
export type Scope = 'heads' | 'everywhere';

export interface ScoredRow {
  id: number;
  /** Higher is better; comparable within one search. */
  score: number;
}

/** A row that was found. Scores are comparable among those with the same `has`. */
export interface TextMatch extends ScoredRow {
  has: Coverage;
}

/** The words of each field of a row, as they are indexed, with spaces between. */
export interface IndexedWords extends IndexedFields {
  id: number;
}

/** What the two databases do differently. */
export interface DialectIndex {
  /** The column that holds the id of the indexed row. */
  readonly key: RawBuilder<unknown>;
  create(db: QueryExecutorProvider, index: string, table: string): Promise<void>;
  /** At least one. */
  add(db: QueryExecutorProvider, index: string, rows: readonly IndexedWords[]): Promise<void>;
  /** Those that have all the words. The best come first. */
  findAll(db: QueryExecutorProvider, search: TextSearch, scope: Scope): Promise<ScoredRow[]>;
  /** Those that have all the phrases and some of the words. The best come first. */
  findSome(db: QueryExecutorProvider, search: TextSearch): Promise<ScoredRow[]>;
}

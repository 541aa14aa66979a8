import type { RawBuilder } from 'kysely';
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

/** A row that was found. */
export interface TextMatch {
  id: number;
  /** Higher is better; comparable within one search only. */
  score: number;
}

export interface TextMatches {
  /** Whether each match has all that was looked for, or only some of it because nothing has all. */
  have: 'all' | 'some';
  matches: TextMatch[];
}

/** The words of each field, as they are indexed. */
export interface IndexedWords {
  title: string[];
  context: string[];
  body: string[];
}

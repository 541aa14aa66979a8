import type { QueryExecutorProvider } from 'kysely';
import { type IndexStatistics, newestId, readStatistics } from './counts.table.js';

/** What is known of an index. */
export interface Known {
  newest: number;
  statistics: IndexStatistics;
  /** How many rows have a frequent term, by the forms of the term. */
  frequent: Map<string, number>;
}

/** The statistics are read again when the index has grown by this share. */
const GROWTH = 0.01;
const known = new WeakMap<QueryExecutorProvider, Map<string, Known>>();

/** Returns the statistics of an index as they were at most one percent of its rows ago, and what was counted since. */
export async function statisticsOf(db: QueryExecutorProvider, index: string): Promise<Known> {
  const ofDatabase = known.get(db) ?? new Map<string, Known>();
  known.set(db, ofDatabase);
  const before = ofDatabase.get(index);
  const newest = await newestId(db, index);
  if (before && Math.abs(newest - before.newest) <= before.statistics.rows * GROWTH) return before;
  const read: Known = { newest, statistics: await readStatistics(db, index), frequent: new Map() };
  ofDatabase.set(index, read);
  return read;
}

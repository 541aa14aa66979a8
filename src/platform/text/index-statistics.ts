import type { QueryExecutorProvider } from 'kysely';
import { readSample, type Sample } from './frequency-sample.js';
import { type IndexStatistics, newestId, readStatistics } from './counts.table.js';

/** What is known of an index. */
export interface Known {
  newest: number;
  statistics: IndexStatistics;
  /** Tells how frequent a word is; null = not needed, because the words of the index are soon counted. */
  sample: Sample | null;
  /** How many rows have a frequent term, by the forms of the term. */
  frequent: Map<string, number>;
}

/** The statistics are read again when the index has grown by this share. */
const GROWTH = 0.01;
/** Rows of an index whose words are counted, however frequent they are. */
const SOON_COUNTED = 20_000;
const known = new WeakMap<QueryExecutorProvider, Map<string, Known>>();
const reading = new WeakMap<QueryExecutorProvider, Map<string, Promise<Known>>>();

/** Returns the statistics of an index as they were at most one percent of its rows ago, and what was counted since. */
export async function statisticsOf(db: QueryExecutorProvider, index: string): Promise<Known> {
  const before = known.get(db)?.get(index);
  const newest = await newestId(db, index);
  if (before && Math.abs(newest - before.newest) <= before.statistics.rows * GROWTH) return before;
  return readOnce(db, index, newest);
}

/** Reads the statistics; searches that need them meanwhile wait for the same reading. */
function readOnce(db: QueryExecutorProvider, index: string, newest: number): Promise<Known> {
  const ofDatabase = reading.get(db) ?? new Map<string, Promise<Known>>();
  reading.set(db, ofDatabase);
  const running = ofDatabase.get(index);
  if (running) return running;
  const read = readKnown(db, index, newest).finally(() => ofDatabase.delete(index));
  ofDatabase.set(index, read);
  return read;
}

async function readKnown(db: QueryExecutorProvider, index: string, newest: number): Promise<Known> {
  const statistics = await readStatistics(db, index);
  const sample = statistics.rows <= SOON_COUNTED ? null : await readSample(db, index, newest);
  const read: Known = { newest, statistics, sample, frequent: new Map() };
  const ofDatabase = known.get(db) ?? new Map<string, Known>();
  known.set(db, ofDatabase.set(index, read));
  return read;
}

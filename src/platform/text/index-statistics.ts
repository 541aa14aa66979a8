import type { QueryExecutorProvider } from 'kysely';
import { readSample, type Sample } from './frequency-sample.js';
import { type IndexStatistics, readState, readStatistics } from './counts.table.js';

/** The cached data of an index. */
export interface CachedStatistics {
  newest: number;
  statistics: IndexStatistics;
  /** For estimating word frequencies; null = not needed, because counting is fast. */
  sample: Sample | null;
  /** Number of rows that contain a frequent term, by the term's forms. */
  frequent: Map<string, number>;
}

/** Growth of an index, as a fraction, after which its statistics are read again. */
const GROWTH = 0.01;
/** Up to this number of rows, words are always counted, however frequent they are. */
const SOON_COUNTED = 20_000;
const cached = new WeakMap<QueryExecutorProvider, Map<string, CachedStatistics>>();
const reading = new WeakMap<QueryExecutorProvider, Map<string, Promise<CachedStatistics>>>();

/** Returns the cached statistics of an index, at most one percent of its rows out of date. They have all of its languages. */
export async function statisticsOf(db: QueryExecutorProvider, index: string): Promise<CachedStatistics> {
  const before = cached.get(db)?.get(index);
  const { newest, languages } = await readState(db, index);
  const isCurrent =
    before !== undefined &&
    Math.abs(newest - before.newest) <= before.statistics.rows * GROWTH &&
    // Without its forms in a language, no word would be found in the texts of that language.
    languages.every((language) => before.statistics.languages.includes(language));
  return isCurrent ? before : readOnce(db, index, newest);
}

/** Reads the statistics; concurrent searches share the same read. */
function readOnce(db: QueryExecutorProvider, index: string, newest: number): Promise<CachedStatistics> {
  const ofDatabase = reading.get(db) ?? new Map<string, Promise<CachedStatistics>>();
  reading.set(db, ofDatabase);
  const running = ofDatabase.get(index);
  if (running) return running;
  const read = readFresh(db, index, newest).finally(() => ofDatabase.delete(index));
  ofDatabase.set(index, read);
  return read;
}

async function readFresh(db: QueryExecutorProvider, index: string, newest: number): Promise<CachedStatistics> {
  const statistics = await readStatistics(db, index);
  const sample = statistics.rows <= SOON_COUNTED ? null : await readSample(db, index, newest);
  const read: CachedStatistics = { newest, statistics, sample, frequent: new Map() };
  const ofDatabase = cached.get(db) ?? new Map<string, CachedStatistics>();
  cached.set(db, ofDatabase.set(index, read));
  return read;
}

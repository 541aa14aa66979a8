import type { QueryExecutorProvider } from 'kysely';
import { countsOf } from './counts.table.js';
import { hashesIn } from './word-counts.rules.js';

/** A sample of rows of a large index, for estimating the frequency of frequent words: counting them takes long. */
export interface Sample {
  rows: number;
  /** Number of sampled rows that contain a word, by its hash. */
  having: ReadonlyMap<number, number>;
}

const SAMPLED = 2_500;
/** Its multiples are evenly distributed, and do not coincide with periodic patterns. */
const GOLDEN_RATIO = (1 + Math.sqrt(5)) / 2;
/** Rows per batch; other work runs between batches. */
const AT_ONCE = 100;
/** Minimum number of sampled rows with a word for an estimate. */
const FEWEST = 20;

/**
 * Reads a sample of rows, the same on both databases.
 * @param newest the greatest id of a row
 */
export async function readSample(db: QueryExecutorProvider, index: string, newest: number): Promise<Sample> {
  const ids = Array.from({ length: SAMPLED }, (_, number) => Math.ceil(((number * GOLDEN_RATIO) % 1) * newest));
  const having = new Map<number, number>();
  let rows = 0;
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    for (const { counts } of await countsOf(db, index, ids.slice(from, from + AT_ONCE))) {
      rows += 1;
      for (const hash of hashesIn(counts)) having.set(hash, (having.get(hash) ?? 0) + 1);
    }
  }
  for (const [hash, count] of having) if (count < FEWEST) having.delete(hash);
  return { rows, having };
}

/**
 * Returns the share of rows that contain a word, 0 to 1; null when too few sampled rows contain it.
 * @param hashes of its forms in several languages, of which a row has at most one
 */
export function shareOf(hashes: readonly number[], { rows, having }: Sample): number | null {
  const count = hashes.reduce((sum, hash) => sum + (having.get(hash) ?? 0), 0);
  return count === 0 ? null : Math.min(1, count / rows);
}

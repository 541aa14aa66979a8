import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import { endedBy } from '../sql/dialect.js';
import { newestId } from './counts.table.js';
import { betterLevel, levelFor, levelLabel } from './spread.rules.js';
import { type DialectIndex, type Find, MOST_ROWS } from './text-search.js';

/** The newest rows are always considered, one for this many others, so that recently saved ones are found. */
const OTHERS_PER_NEWEST = 16;
/** Safety factor, because the number of rows with a word may be an estimate: see `rateTerms`. */
const SURE = 0.5;

/**
 * Returns the ids of candidate rows, in no particular order. When too many rows match, considers an evenly distributed sample of
 * the matches, and the newest rows.
 * @param expected upper bound for the number of matching rows
 */
export async function findSpread(
  db: QueryExecutorProvider,
  dialect: DialectIndex,
  find: Find,
  expected: number,
): Promise<number[]> {
  const { mostRows = MOST_ROWS } = find;
  if (expected <= mostRows * SURE) {
    if (expected > find.limit) return (await dialect.find(db, find)).ids;
    // All of them are candidates. Ranking would take longer: FTS5 counts the rows of each word for it, also of frequent ones.
    return matching(db, dialect, find, sql`true limit ${mostRows}`);
  }
  const level = levelFor(expected, mostRows);
  const { ids: promising, isAll } = await findAtLevel(db, dialect, { ...find, mostRows }, level);
  if (isAll) return promising;
  return [...new Set([...promising, ...(await newestOf(db, dialect, { ...find, mostRows }))])];
}

/** Finds rows at approximately the lowest level with a permitted number of rows. */
async function findAtLevel(
  db: QueryExecutorProvider,
  dialect: DialectIndex,
  find: Find & { mostRows: number },
  level: number,
): Promise<{ ids: number[]; isAll: boolean }> {
  const { ids, size } = await dialect.find(db, atLevel(find, level));
  const better = betterLevel(level, size, find.mostRows);
  if (better === level) return { ids, isAll: level === 0 };
  if (better > level) return findAtLevel(db, dialect, find, better);
  return { ids: (await dialect.find(db, atLevel(find, better))).ids, isAll: better === 0 };
}

const atLevel = (find: Find, level: number): Find =>
  level === 0 ? find : { ...find, labels: [...find.labels, levelLabel(level)] };

/** Returns the ids of matching rows among the newest of the index. */
async function newestOf(
  db: QueryExecutorProvider,
  dialect: DialectIndex,
  find: Find & { mostRows: number },
): Promise<number[]> {
  const after = (await newestId(db, find.index)) - Math.ceil(find.mostRows / OTHERS_PER_NEWEST);
  // FTS5 ignores a bound that is not an integer, and numbers are bound as reals.
  return matching(db, dialect, find, sql`id > cast(${after} as bigint)`);
}

/** Returns the ids of all matching rows that fulfil a condition. */
async function matching(
  db: QueryExecutorProvider,
  dialect: DialectIndex,
  { index, labels, except, signal, ...wanted }: Find,
  condition: RawBuilder<unknown>,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from ${dialect.idsOf({ index, labels, ...wanted })} as found
    where ${except ? sql`id not in (${except}) and` : sql``} ${condition}`.execute(db, endedBy(signal));
  return rows.map(({ id }) => id);
}

/** Order for otherwise equal rows that does not favour old ones. */
export const evenly = (id: RawBuilder<unknown>): RawBuilder<unknown> => sql`((${id} & 65535) * 40503) & 65535`;

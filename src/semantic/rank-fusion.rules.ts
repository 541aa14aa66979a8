const RANK_CONSTANT = 60;

/**
 * Merges rankings into one by reciprocal rank fusion (Cormack, Clarke and Buettcher, SIGIR 2009): the score of an entry
 * is the sum of 1 / (60 + rank) over the rankings that hold it. Entries with equal scores keep the order of the first
 * ranking.
 */
export function fuseRankings<Entry>(rankings: readonly (readonly Entry[])[]): Entry[] {
  const scores = new Map<Entry, number>();
  for (const ranking of rankings) {
    ranking.forEach((entry, index) => {
      scores.set(entry, (scores.get(entry) ?? 0) + 1 / (RANK_CONSTANT + index + 1));
    });
  }
  return [...scores].sort(([, a], [, b]) => b - a).map(([entry]) => entry);
}

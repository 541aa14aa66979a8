const RANK_CONSTANT = 60;

interface FusionOptions {
  /** The smaller, the more the first ranks count relative to later ones. */
  constant?: number;
  /** Weights of the rankings; equal by default. */
  weights?: readonly number[];
}

/**
 * Merges rankings into one by reciprocal rank fusion (Cormack, Clarke and Buettcher, SIGIR 2009): the score of an entry is the
 * sum of weight / (constant + rank) over the rankings that contain it. Entries with equal scores keep the order of the first
 * ranking.
 */
export function fuseRankings<Entry>(
  rankings: readonly (readonly Entry[])[],
  { constant = RANK_CONSTANT, weights = [] }: FusionOptions = {},
): Entry[] {
  const scores = new Map<Entry, number>();
  rankings.forEach((ranking, number) => {
    const weight = weights[number] ?? 1;
    ranking.forEach((entry, index) => {
      scores.set(entry, (scores.get(entry) ?? 0) + weight / (constant + index + 1));
    });
  });
  return [...scores].sort(([, a], [, b]) => b - a).map(([entry]) => entry);
}

/**
 * Merges matches by words with semantic matches. An entry with all the words of a query is hardly ever wrong, so semantic matches
 * then have half the weight.
 */
export const fuseWithSemantic = <Entry>(
  worded: readonly Entry[],
  meant: readonly Entry[],
  hasAllWords: boolean,
): Entry[] => fuseRankings([worded, meant], { constant: 5, weights: [1, hasAllWords ? 0.5 : 1] });

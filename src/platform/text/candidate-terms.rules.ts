/** A term, and the number of rows that contain it. */
export interface CountedTerm {
  count: number;
}

/**
 * Returns the terms that select the rows to rank: the rarest ones, as long as they match at most `most` rows in total, and at
 * least one. So a nearly ubiquitous word selects no rows next to rarer ones. Omits terms without rows.
 */
export function candidateTerms<Term extends CountedTerm>(terms: readonly Term[], most: number): Term[] {
  let rows = 0;
  return terms
    .filter(({ count }) => count > 0)
    .sort((a, b) => a.count - b.count)
    .filter(({ count }, position) => {
      rows += count;
      return position === 0 || rows <= most;
    });
}

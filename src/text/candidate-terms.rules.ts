/** A word in a database's own notation, and how many rows have it. */
export interface CountedTerm {
  query: string;
  count: number;
}

/**
 * The terms that choose what is worth ranking: the rarest, as long as they bring no more than `most` rows together, and at
 * least one. What is nearly everywhere finds nothing by itself. Terms that no row has are left out.
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

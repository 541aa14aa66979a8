/**
 * Normalised discounted cumulative gain of the first `depth` results: 1 when the most relevant come first, in order.
 * @param relevant relevance of each document, by key
 */
export function ndcg(found: readonly string[], relevant: ReadonlyMap<string, number>, depth: number): number {
  const ideal = gain([...relevant.values()].sort((a, b) => b - a).slice(0, depth));
  return ideal === 0 ? 1 : gain(found.slice(0, depth).map((key) => relevant.get(key) ?? 0)) / ideal;
}

const gain = (grades: readonly number[]): number =>
  grades.reduce((sum, grade, rank) => sum + (2 ** grade - 1) / Math.log2(rank + 2), 0);

const LONGEST = 64;
const MOST_CANDIDATES = 500;

/** Returns the candidate that was probably meant; undefined when none is similar. */
export function suggestionFor(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length === 0 || name.length > LONGEST) return undefined;
  const wanted = name.toLowerCase();
  let best: { candidate: string; distance: number } | undefined;
  let tried = 0;
  for (const candidate of candidates) {
    if ((tried += 1) > MOST_CANDIDATES) break;
    if (candidate.length > LONGEST) continue;
    const most = Math.max(1, Math.floor(Math.max(name.length, candidate.length) / 3));
    const distance = distanceOf(wanted, candidate.toLowerCase());
    if (distance <= most && distance < candidate.length && distance < (best?.distance ?? Infinity)) {
      best = { candidate, distance };
    }
  }
  return best?.candidate;
}

/** Returns `: did you mean "x"?`, or `otherwise` when no candidate is similar. */
export function didYouMean(name: string, candidates: Iterable<string>, otherwise = ''): string {
  const suggestion = suggestionFor(name, candidates);
  return suggestion === undefined ? otherwise : `: did you mean "${suggestion}"?`;
}

/** Edit distance: letters added, removed, replaced, or swapped with their neighbour. */
function distanceOf(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const cost = a[row - 1] === b[column - 1] ? 0 : 1;
      let least = Math.min(at(last, column) + 1, at(current, column - 1) + 1, at(last, column - 1) + cost);
      const isExchange = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (isExchange) least = Math.min(least, at(beforeLast, column - 2) + 1);
      current.push(least);
    }
    beforeLast = last;
    last = current;
  }
  return at(last, b.length);
}

const at = (row: readonly number[], column: number): number => row[column] ?? Infinity;

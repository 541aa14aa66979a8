import { type FieldLengths, lengthsOf, occurrencesOf } from './word-counts.rules.js';

/** A word of a query, and how much it tells about the rows that have it. */
export interface WeighedTerm {
  /** The hashes of its forms in the index. */
  hashes: readonly number[];
  /** 0 = every row has it. */
  weight: number;
}

export interface Relevance {
  score: number;
  /** How many of the words the row has. */
  found: number;
}

/** What a word in each field counts, and how much long fields are held against it: 0 = not at all, 1 = fully. */
const FIELDS = {
  title: { weight: 4, byLength: 0.4 },
  context: { weight: 2.5, byLength: 0.4 },
  body: { weight: 1, byLength: 0.6 },
} as const;
/** How fast more occurrences of a word stop to count. */
const SATURATION = 1.2;

/**
 * Returns the weight of a word that `rows` of `total` rows have: the inverse document frequency of BM25 (Robertson,
 * Zaragoza: The Probabilistic Relevance Framework, 2009, 3.2).
 */
export const weightOf = (rows: number, total: number): number =>
  Math.log(1 + (Math.max(total, rows) - rows + 0.5) / (rows + 0.5));

/**
 * Returns how well the words of a row match: BM25F (as above, 3.6), in which an occurrence counts by its field and the
 * length of that field.
 * @param averages the average lengths of the fields of all rows
 */
export function relevanceOf(counts: Uint8Array, terms: readonly WeighedTerm[], averages: FieldLengths): Relevance {
  const lengths = lengthsOf(counts);
  let [score, found] = [0, 0];
  for (const { hashes, weight } of terms) {
    let occurrences = 0;
    for (const hash of hashes) occurrences += weighedOccurrences(counts, hash, lengths, averages);
    if (occurrences === 0) continue;
    found += 1;
    score += (weight * occurrences) / (occurrences + SATURATION);
  }
  return { score, found };
}

function weighedOccurrences(counts: Uint8Array, hash: number, lengths: FieldLengths, averages: FieldLengths): number {
  const occurrences = occurrencesOf(counts, hash);
  if (occurrences === null) return 0;
  let sum = 0;
  for (const field of ['title', 'context', 'body'] as const) {
    const { weight, byLength } = FIELDS[field];
    const length = averages[field] === 0 ? 1 : lengths[field] / averages[field];
    sum += (weight * occurrences[field]) / (1 - byLength + byLength * length);
  }
  return sum;
}

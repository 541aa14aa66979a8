import { type FieldLengths, lengthsOf, occurrencesOf } from './word-counts.rules.js';

/** A word of a query with its weight for ranking. */
export interface WeighedTerm {
  /** The hashes of its forms in the index. */
  hashes: readonly number[];
  /** 0 = every row has it. */
  weight: number;
  /** Its specificity regardless of frequency, already part of the weight: from 0 to 1. */
  boost: number;
}

export interface Relevance {
  score: number;
  /** Number of query words in the row. */
  found: number;
}

/** The parameters of BM25F. */
interface Emphasis {
  /** Weight of a word in each field, and the length normalisation of the field: 0 = none, 1 = full. */
  fields: Readonly<Record<keyof FieldLengths, { weight: number; byLength: number }>>;
  /** How quickly further occurrences of a word stop counting; smaller = sooner. */
  saturation: number;
}

/** For a short text, such as a passage or an entry of the memory. */
const SHORT_TEXT: Emphasis = {
  fields: {
    title: { weight: 4, byLength: 0.5 },
    context: { weight: 1, byLength: 0.5 },
    body: { weight: 1, byLength: 0.8 },
  },
  saturation: 1.2,
};

/** For the passages of one document, which share its title. */
const SIBLING: Emphasis = {
  fields: {
    title: { weight: 0, byLength: 0 },
    context: { weight: 1, byLength: 0.5 },
    body: { weight: 1, byLength: 0.4 },
  },
  saturation: 0.8,
};

/** For a whole document, which contains most words merely because of its length. */
export const WHOLE_DOCUMENT: Emphasis = {
  fields: {
    title: { weight: 3, byLength: 0.4 },
    context: { weight: 3, byLength: 0.6 },
    body: { weight: 1, byLength: 0.95 },
  },
  saturation: 3,
};

/**
 * Returns the weight of a word that `rows` of `total` rows have: the inverse document frequency of BM25 (Robertson,
 * Zaragoza: The Probabilistic Relevance Framework, 2009, 3.2).
 */
export const weightOf = (rows: number, total: number): number =>
  Math.log(1 + (Math.max(total, rows) - rows + 0.5) / (rows + 0.5));

/**
 * Returns how well the words of a row match: BM25F (as above, 3.6), which weights occurrences by field and field length.
 * @param averages the average field lengths of all rows
 */
export function relevanceOf(
  counts: Uint8Array,
  terms: readonly Omit<WeighedTerm, 'boost'>[],
  averages: FieldLengths,
  emphasis: Emphasis = SHORT_TEXT,
): Relevance {
  const lengths = lengthsOf(counts);
  let [score, found] = [0, 0];
  for (const { hashes, weight } of terms) {
    let occurrences = 0;
    for (const hash of hashes) occurrences += weighedOccurrences(counts, hash, lengths, averages, emphasis);
    if (occurrences === 0) continue;
    found += 1;
    score += (weight * occurrences) / (occurrences + emphasis.saturation);
  }
  return { score, found };
}

/**
 * Returns how well each row of one text answers the query, relative to the best of them: from 0 to 1. Words that few of these
 * rows contain count more than words that all contain, however rare they are elsewhere.
 */
export function distinctivenessOf(
  rows: readonly { counts: Uint8Array }[],
  terms: readonly WeighedTerm[],
  averages: FieldLengths,
): number[] {
  const local = terms.map(({ hashes, weight, boost }) => {
    const having = rows.filter(({ counts }) => hashes.some((hash) => occurrencesOf(counts, hash) !== null));
    return { hashes, weight: weight === 0 ? 0 : boost * weightOf(having.length, rows.length) };
  });
  const scores = rows.map(({ counts }) => relevanceOf(counts, local, averages, SIBLING).score);
  const best = Math.max(...scores);
  return scores.map((score) => (best === 0 ? 0 : score / best));
}

function weighedOccurrences(
  counts: Uint8Array,
  hash: number,
  lengths: FieldLengths,
  averages: FieldLengths,
  { fields }: Emphasis,
): number {
  const occurrences = occurrencesOf(counts, hash);
  if (occurrences === null) return 0;
  let sum = 0;
  for (const field of ['title', 'context', 'body'] as const) {
    const { weight, byLength } = fields[field];
    const length = averages[field] === 0 ? 1 : lengths[field] / averages[field];
    sum += (weight * occurrences[field]) / (1 - byLength + byLength * length);
  }
  return sum;
}

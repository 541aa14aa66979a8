import { type FieldLengths, lengthsOf, occurrencesOf } from './word-counts.rules.js';

/** A word of a query, and how much it tells about the rows that have it. */
export interface WeighedTerm {
  /** The hashes of its forms in the index. */
  hashes: readonly number[];
  /** 0 = every row has it. */
  weight: number;
  /** How much it tells by itself, which the weight takes account of: from 0 to 1. */
  worth: number;
}

export interface Relevance {
  score: number;
  /** How many of the words the row has. */
  found: number;
}

/** What counts how much. */
interface Emphasis {
  /** Of a word in each field; and how much a long field is held against it: 0 = not at all, 1 = fully. */
  fields: Readonly<Record<keyof FieldLengths, { weight: number; byLength: number }>>;
  /** How soon more occurrences of a word stop to count; the smaller, the sooner. */
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

/** For a whole document, which has most words by its length alone. */
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
 * Returns how well the words of a row match: BM25F (as above, 3.6), in which an occurrence counts by its field and the
 * length of that field.
 * @param averages the average lengths of the fields of all rows
 */
export function relevanceOf(
  counts: Uint8Array,
  terms: readonly Omit<WeighedTerm, 'worth'>[],
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
 * Returns how well each row of one text answers, compared with the best of them: from 0 to 1. The words that few of them
 * have tell more than those that all have, however rare they are elsewhere.
 */
export function tellingOf(
  rows: readonly { counts: Uint8Array }[],
  terms: readonly WeighedTerm[],
  averages: FieldLengths,
): number[] {
  const local = terms.map(({ hashes, weight, worth }) => {
    const having = rows.filter(({ counts }) => hashes.some((hash) => occurrencesOf(counts, hash) !== null));
    return { hashes, weight: weight === 0 ? 0 : worth * weightOf(having.length, rows.length) };
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

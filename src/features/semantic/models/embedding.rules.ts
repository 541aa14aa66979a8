import { plainText } from '../../../platform/markdown/plain-text.rules.js';

/**
 * A compact vector; texts of similar meaning have vectors of similar direction. Has one byte per dimension, and one bit per
 * dimension for finding candidates. The length of the vector is not stored, because only its direction matters.
 */
export interface Embedding {
  values: Int8Array;
  /** Bit n % 8 of byte n / 8 is set when the value of dimension n is positive. */
  signs: Uint8Array;
}

const MAX_BYTE = 127;

/**
 * Returns the embedding of a vector; null when it has no direction or has non-finite values.
 * @param vector of any length
 */
export function toEmbedding(vector: readonly number[]): Embedding | null {
  const largest = vector.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
  if (!Number.isFinite(largest) || largest === 0) return null;
  const values = Int8Array.from(vector, (value) => Math.round((value / largest) * MAX_BYTE));
  const signs = new Uint8Array(Math.ceil(vector.length / 8));
  vector.forEach((value, dimension) => {
    if (value > 0) signs[dimension >> 3] = (signs[dimension >> 3] ?? 0) | (1 << (dimension & 7));
  });
  return { values, signs };
}

/** Returns the cosine of the angle between two vectors of the same number of dimensions: 1 = the same direction. */
export function similarity(a: Int8Array, b: Int8Array): number {
  let [product, squareA, squareB] = [0, 0, 0];
  for (let dimension = 0; dimension < a.length; dimension += 1) {
    const [x = 0, y = 0] = [a[dimension], b[dimension]];
    product += x * y;
    squareA += x * x;
    squareB += y * y;
  }
  return product / Math.sqrt(squareA * squareB || 1);
}

/**
 * Normalises similarities of candidates: 1 = the best, 0 = average or less. Absolute similarities mean less, because each model
 * has its own scale.
 */
export function nearnessOf(similarities: readonly number[]): number[] {
  const average = similarities.reduce((sum, near) => sum + near, 0) / (similarities.length || 1);
  const best = Math.max(...similarities);
  return similarities.map((near) => (near === best ? 1 : Math.max(0, (near - average) / (best - average))));
}

/** A candidate is worth showing from halfway between the average and the best. */
export const NEAR_ENOUGH = 0.5;

/** An identifier in a program: `max_retries`, `v3.7.2`, `maxRetries`, `--dry-run`, `429`. */
const IDENTIFIER = /\d|[\p{L}\d][_./:@=][\p{L}\d]|^--?\p{L}|\p{Ll}\p{Lu}/u;

/** Returns whether a query consists of identifiers: they must be matched literally, and a model does not know them. */
export const isOfIdentifiers = (query: string): boolean =>
  query.split(/\s+/).every((word) => word === '' || IDENTIFIER.test(word));

/**
 * Returns the text to embed for a content: with the distinct titles above it as context, and without markup, because a model
 * reads only the beginning of a long text. Content that is only markup is kept: some models refuse empty texts.
 */
export function embeddedText(titles: readonly string[], content: string): string {
  const plain = joined(titles.map(plainText), plainText(content));
  return plain === '' ? joined(titles, content) : plain;
}

const joined = (titles: readonly string[], content: string): string =>
  `${[...new Set(titles)].join(' > ')}\n\n${content}`.trim();

const FIRST_MS = 5_000;
const LONGEST_MS = 600_000;
const LONGEST_ASKED_MS = 3_600_000;

/** Returns the delay after the nth consecutive failure: doubled each time, or as requested by the server. */
export function retryDelayMs(failures: number, retryAfterSeconds: number | undefined): number {
  if (retryAfterSeconds !== undefined) return Math.min(Math.max(retryAfterSeconds * 1_000, 1_000), LONGEST_ASKED_MS);
  return Math.min(FIRST_MS * 2 ** (failures - 1), LONGEST_MS);
}

import { plainText } from '../../../platform/markdown/plain-text.rules.js';

/**
 * A compact vector; texts of similar meaning have vectors of similar direction. Holds one byte per dimension, and one
 * bit per dimension to find candidates by. The length of the vector is not kept, because only its direction matters.
 */
export interface Embedding {
  values: Int8Array;
  /** Bit n % 8 of byte n / 8 says whether the value of dimension n is above zero. */
  signs: Uint8Array;
}

const MAX_BYTE = 127;

/**
 * Returns the embedding of a vector; null when it has no direction or holds values that are not finite.
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
 * Returns how near each of some candidates is, compared with the others: 1 = the best, 0 = as the average or less. Each model
 * has its own scale, so the similarities themselves say less.
 */
export function nearnessOf(similarities: readonly number[]): number[] {
  const average = similarities.reduce((sum, near) => sum + near, 0) / (similarities.length || 1);
  const best = Math.max(...similarities);
  return similarities.map((near) => (near === best ? 1 : Math.max(0, (near - average) / (best - average))));
}

/** A candidate halfway between the average and the best is worth showing. */
export const NEAR_ENOUGH = 0.5;

/** What names a thing in a program: `max_retries`, `v3.7.2`, `maxRetries`, `--dry-run`, `429`. */
const IDENTIFIER = /\d|[\p{L}\d][_./:@=][\p{L}\d]|^--?\p{L}|\p{Ll}\p{Lu}/u;

/** Returns whether a query consists of identifiers: their letters say what is looked for, and a model does not know them. */
export const isOfIdentifiers = (query: string): boolean =>
  query.split(/\s+/).every((word) => word === '' || IDENTIFIER.test(word));

/**
 * Returns the text to embed for a content: with the titles above it, each once, which give it context; and without the
 * markup, because a model reads only the beginning of a long text. Markup alone stays as it is: some models refuse to
 * embed nothing.
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

/** Returns how long to wait after the nth failure in a row: twice as long each time, or as long as the server asks. */
export function retryDelayMs(failures: number, retryAfterSeconds: number | undefined): number {
  if (retryAfterSeconds !== undefined) return Math.min(Math.max(retryAfterSeconds * 1_000, 1_000), LONGEST_ASKED_MS);
  return Math.min(FIRST_MS * 2 ** (failures - 1), LONGEST_MS);
}

/**
 * A vector by which texts of like meaning are near each other, made small: a byte a dimension, and a bit a dimension to
 * find candidates by. The length of the vector is not kept: only its direction says something.
 */
export interface Embedding {
  values: Int8Array;
  /** Of dimension n, bit n % 8 of byte n / 8: whether the value is above zero. */
  signs: Uint8Array;
}

const MAX_BYTE = 127;

/** @param vector of any length; null when it has no direction or is not one */
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

/** The cosine of the angle between two vectors of the same dimensions: 1 = the same direction. */
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
 * From which similarity on a candidate is worth showing: half way from the average to the best. Something is always
 * nearest; and how near says nothing by itself, because each model has its own scale.
 */
export function nearEnough(similarities: readonly number[]): number {
  const average = similarities.reduce((sum, near) => sum + near, 0) / (similarities.length || 1);
  const best = Math.max(...similarities);
  return Math.min(best, (average + best) / 2); // never above the best, not even by rounding
}

/** What is embedded of a passage: with what it stands under, or it would not be understood. */
export function embeddedText(title: string, headings: readonly string[], content: string): string {
  const above = [title, ...headings.filter((heading) => heading !== title)].join(' > ');
  return `${above}\n\n${content}`.trim();
}

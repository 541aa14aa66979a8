import type { Label } from './label.rules.js';
import type { Language } from './language.rules.js';
import type { IndexedFields } from './words.rules.js';

/** The number of words in each field. */
export interface FieldLengths {
  title: number;
  context: number;
  body: number;
}

/** Number of occurrences of a word in each field; in the title and the context, capped at 15. */
export type Occurrences = FieldLengths;

/**
 * The word counts of a row, for ranking: the lengths of the three fields, four bytes each; then the sorted hashes of its words,
 * four bytes each; then two bytes per word: one for the occurrences in the title and the context, and one for those in the body.
 */
export type WordCounts = Uint8Array<ArrayBuffer>;

const HEADER_BYTES = 12;
const HASH_BYTES = 4;
const COUNT_BYTES = 2;
const MOST_IN_HEAD = 15;
const MOST_IN_BODY = 255;
const FIELDS = ['title', 'context', 'body'] as const;

/** A text in indexed form. */
export interface IndexedText extends IndexedFields {
  /** The language of its stems. */
  language: Language;
  counts: WordCounts;
  /** What the text belongs to. */
  labels: readonly Label[];
}

/** Converts the fields of a text to indexed form. */
export function toIndexedText(fields: IndexedFields, language: Language, labels: readonly Label[]): IndexedText {
  return { ...fields, language, counts: countWords(fields), labels };
}

/** Counts the words of the fields, which are separated by spaces. */
export function countWords(fields: IndexedFields): WordCounts {
  const counts = new Map<number, Occurrences>();
  const lengths: FieldLengths = { title: 0, context: 0, body: 0 };
  for (const field of FIELDS) {
    for (const word of fields[field].split(' ')) {
      if (word === '') continue;
      lengths[field] += 1;
      const hash = hashOf(word);
      const known = counts.get(hash) ?? { title: 0, context: 0, body: 0 };
      known[field] += 1;
      counts.set(hash, known);
    }
  }
  return written(lengths, counts);
}

/** Returns the hash of a word in `WordCounts`: FNV-1a, 32 bits. */
export function hashOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at += 1) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** Returns the lengths of the fields of a row. */
export function lengthsOf(counts: Uint8Array): FieldLengths {
  const view = viewOf(counts);
  return { title: view.getUint32(0), context: view.getUint32(4), body: view.getUint32(8) };
}

/** Returns the occurrences in a row of the word with this hash; null when it has none. */
export function occurrencesOf(counts: Uint8Array, hash: number): Occurrences | null {
  const view = viewOf(counts);
  const words = wordsIn(counts);
  const at = indexOf(view, words, hash);
  if (at < 0) return null;
  const place = HEADER_BYTES + words * HASH_BYTES + at * COUNT_BYTES;
  const head = view.getUint8(place);
  return { title: head >> 4, context: head & MOST_IN_HEAD, body: view.getUint8(place + 1) };
}

/** Returns the hashes of the words of a row. */
export function hashesIn(counts: Uint8Array): number[] {
  const view = viewOf(counts);
  return Array.from({ length: wordsIn(counts) }, (_, at) => view.getUint32(HEADER_BYTES + at * HASH_BYTES));
}

const wordsIn = (counts: Uint8Array): number =>
  Math.floor((counts.byteLength - HEADER_BYTES) / (HASH_BYTES + COUNT_BYTES));

function written(lengths: FieldLengths, counts: ReadonlyMap<number, Occurrences>): WordCounts {
  const words = [...counts].sort(([a], [b]) => a - b);
  const bytes = new Uint8Array(HEADER_BYTES + words.length * (HASH_BYTES + COUNT_BYTES));
  const view = viewOf(bytes);
  FIELDS.forEach((field, position) => view.setUint32(position * HASH_BYTES, lengths[field]));
  const firstCount = HEADER_BYTES + words.length * HASH_BYTES;
  words.forEach(([hash, { title, context, body }], position) => {
    view.setUint32(HEADER_BYTES + position * HASH_BYTES, hash);
    const place = firstCount + position * COUNT_BYTES;
    view.setUint8(place, (Math.min(title, MOST_IN_HEAD) << 4) | Math.min(context, MOST_IN_HEAD));
    view.setUint8(place + 1, Math.min(body, MOST_IN_BODY));
  });
  return bytes;
}

function indexOf(view: DataView, words: number, hash: number): number {
  let [low, high] = [0, words - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = view.getUint32(HEADER_BYTES + middle * HASH_BYTES);
    if (found === hash) return middle;
    if (found < hash) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);

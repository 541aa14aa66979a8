import { createHash } from 'node:crypto';

/** What a row of a text index belongs to, as a word of the index: see `labelOf`. */
export type Label = string;

// No indexed word has a capital letter, so no text can have a label among its words.
const MARK = 'Ŧ';
const DIGITS = 16;

/**
 * Returns the word that stands in the index for something a row belongs to, so that a search among the rows that have
 * it needs no list of them.
 * @param kind such as `tag`
 */
export const labelOf = (kind: string, name: string): Label =>
  MARK + createHash('sha256').update(`${kind}:${name}`).digest('hex').slice(0, DIGITS);

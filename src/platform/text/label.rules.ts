import { createHash } from 'node:crypto';

/** Something that a row of a text index belongs to, encoded as a word of the index: see `labelOf`. */
export type Label = string;

// Indexed words have no capital letters, so no text can contain a label.
const MARK = 'Ŧ';
const DIGITS = 16;

/**
 * Returns the index word for something that a row belongs to, so that a search within those rows needs no list of them.
 * @param kind such as `tag`
 */
export const labelOf = (kind: string, name: string): Label =>
  MARK + createHash('sha256').update(`${kind}:${name}`).digest('hex').slice(0, DIGITS);

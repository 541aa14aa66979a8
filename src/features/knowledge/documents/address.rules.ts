import { isStorable } from '#bounded-json';
import { documentUri } from './document.rules.js';
import { NotWholeDocument } from './knowledge.errors.js';

/** The meaning of an address, or of an id with the same ending. */
export interface DocumentAddress {
  /** As it was written. */
  written: string;
  id: string;
  /** `other`: anything else, such as a list of versions, or an invalid address. */
  part: 'whole' | 'passage' | 'version' | 'page' | 'other';
  /** Number of the passage, 1 = the first; null = the address names another part. */
  passage: number | null;
}

const NAMED = /^(?:knowledge:\/\/documents\/)?([^/?#]+)([^]*)$/;
/** Matches addresses that are not of documents. */
const OF_OTHERS = /^(?!knowledge:\/\/documents\/)[a-z][a-z0-9+.-]*:\/\//i;
const PASSAGE = /^#passage-([1-9]\d{0,5})$/;
const ENDINGS = [
  { part: 'whole', ending: /^\/?$/ },
  { part: 'passage', ending: PASSAGE },
  { part: 'version', ending: /^\/history\/[1-9]\d{0,8}$/ },
  { part: 'page', ending: /^\?part=[1-9]\d{0,3}$/ },
] as const;

/** Parses the name of a document or a part of one: an id, or an address as in results. */
export function documentAddress(named: string): DocumentAddress {
  const written = named.trim();
  const [, id, ending = ''] = NAMED.exec(written) ?? [];
  if (id === undefined) return { written, id: written, part: 'whole', passage: null }; // no document has this id
  const { part = 'other' } = ENDINGS.find((each) => each.ending.test(ending)) ?? {};
  const [, passage] = PASSAGE.exec(ending) ?? [];
  return { written, id: decoded(id), part, passage: passage === undefined ? null : Number(passage) };
}

function decoded(id: string): string {
  try {
    const plain = decodeURIComponent(id);
    if (isStorable(plain)) return plain;
  } catch {
    // an invalid escape sequence
  }
  return id; // no document has it
}

/** The effect of a call on the whole document, and the alternative for the named part, for an error message. */
export interface WholeChange {
  /** For example "knowledge_save replaces the whole document". */
  does: string;
  /** What to do instead to change a passage. */
  forPassage: string;
}

/** @throws NotWholeDocument when the address names a part: a call about a part must not affect the rest */
export function assertWhole({ written, id, part }: DocumentAddress, { does, forPassage }: WholeChange): void {
  if (part === 'whole') return;
  const what = {
    passage: 'names one passage',
    version: 'names an earlier version, which stays as it is',
    page: 'names one part of a long text',
    other: 'does not name a document',
  }[part];
  const change = part === 'passage' || part === 'page' ? `${forPassage}; for` : 'For';
  const instead = OF_OTHERS.test(written)
    ? 'Give the uri of a document, as knowledge_search returns it.'
    : `${change} the whole document, give ${documentUri(id)}.`;
  throw new NotWholeDocument(`${JSON.stringify(written)} ${what}, and ${does}. Nothing was changed. ${instead}`);
}

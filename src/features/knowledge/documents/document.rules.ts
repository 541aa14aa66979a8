import { hash as digest, randomBytes } from 'node:crypto';
import { storableText } from '#bounded-json';
import { normalForm } from '../../../platform/text/normal-form.rules.js';
import { normalTags } from '../../../platform/text/words.rules.js';
import type { Document } from './document.js';

export const MAX_TITLE = 300;
export const MAX_CONTENT = 1_000_000;
export const MAX_PATH = 500;

export const URI_PREFIX = 'knowledge://documents/';

export const documentUri = (id: string): string => URI_PREFIX + encodeURIComponent(id);

export const versionUri = (id: string, version: number): string => `${documentUri(id)}/history/${version}`;

/** Returns the address of a passage. @param position 0 = the first passage, which has the number 1 in the address */
export const passageUri = (id: string, position: number): string => `${documentUri(id)}#passage-${position + 1}`;

// No vowels, so that ids spell no words; no 0 and 1, which look like letters.
const ALPHABET = '23456789bcdfghjkmnpqrstvwxyzBCDF';

export function newDocumentId(): string {
  return [...randomBytes(12)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
}

const LONGEST_SLUG = 60;

/** Returns the slug of a title: "How we deploy (2026)" becomes "how-we-deploy-2026". Empty without Latin letters and digits. */
export function slugOf(title: string): string {
  const words = normalForm(title.slice(0, MAX_TITLE), 'NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  let slug = '';
  for (const word of words) {
    if (slug.length + word.length >= LONGEST_SLUG) break;
    slug += slug === '' ? word : `-${word}`;
  }
  return slug;
}

/** Returns readable candidates for an id, best first. */
export function readableIds(slug: string): string[] {
  const ids = Array.from({ length: MOST_NAMESAKES }, (_, before) => (before === 0 ? slug : `${slug}-${before + 1}`));
  return isReserved(slug) ? ids.slice(1) : ids;
}

/** Paths of the REST API or the administration have these words in place of an id. */
const RESERVED: ReadonlySet<string> = new Set(['embeddings', 'export', 'import', 'new']);
export const isReserved = (id: string): boolean => RESERVED.has(id);
const MOST_NAMESAKES = 50;

type Given = Pick<Document, 'title' | 'content'> & { tags?: readonly string[] | undefined };

/** Returns the document in stored form: without characters that a database refuses, and with unique, lower-case tags. */
export function normalDocument({
  title,
  content,
  tags = [],
}: Given): Pick<Document, 'title' | 'content' | 'tags' | 'hash'> {
  const normal = {
    title: storableText(title).replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE),
    content: storableText(content).replace(/\r\n?/g, '\n'),
    tags: normalTags(tags),
  };
  return { ...normal, hash: digest('sha256', JSON.stringify(normal), 'base64url') };
}

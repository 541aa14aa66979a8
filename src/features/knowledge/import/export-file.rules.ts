import { MAX_TAG, MAX_TAGS } from '../../../platform/text/words.rules.js';
import { MAX_CONTENT, MAX_PATH, MAX_TITLE } from '../documents/document.rules.js';
import type { ImportedDocument } from './imported-file.rules.js';

const ID = /^[\w-]{1,64}$/;
const MAX_SOURCE = 300;

/** Whether a text may be JSON. */
export const isJson = (text: string): boolean => /^\s*[[{]/.test(text) && /[\]}]\s*$/.test(text.slice(-1_000));

/** Returns the documents of an export of the knowledge base; null when the text is none. */
export function exportedDocuments(text: string): ImportedDocument[] | null {
  const { items } = objectOf(parsed(text));
  if (!Array.isArray(items)) return null;
  const documents = items.map(toDocument);
  return documents.every((document) => document !== null) ? documents : null;
}

function toDocument(item: unknown): ImportedDocument | null {
  const { title, content, tags, id, path = null, source = null, createdAt, updatedAt } = objectOf(item);
  if (!isText(title, MAX_TITLE) || !isText(content, MAX_CONTENT)) return null;
  if (!Array.isArray(tags) || tags.length > MAX_TAGS || !tags.every((tag) => isText(tag, MAX_TAG))) return null;
  if (!isText(id, 64) || !ID.test(id)) return null;
  if (!isTextOrNull(path, MAX_PATH) || !isTextOrNull(source, MAX_SOURCE)) return null;
  const facts = { id, path, source, createdAt: momentOf(createdAt), updatedAt: momentOf(updatedAt) };
  return { title, content, tags: tags.filter((tag) => isText(tag, MAX_TAG)), exported: facts };
}

function momentOf(value: unknown): Date {
  const moment = new Date(typeof value === 'string' ? value : Number.NaN);
  return Number.isNaN(moment.getTime()) ? new Date() : moment;
}

const isText = (value: unknown, longest: number): value is string =>
  typeof value === 'string' && value.length <= longest;
const isTextOrNull = (value: unknown, longest: number): value is string | null =>
  value === null || isText(value, longest);

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

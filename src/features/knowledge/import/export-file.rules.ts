import { storableText, parsedOrNull } from '#bounded-json';
import { MAX_TAG, MAX_TAGS } from '../../../platform/text/words.rules.js';
import { MAX_CONTENT, MAX_PATH, MAX_TITLE } from '../documents/document.rules.js';
import type { ImportedDocument } from './plain-file.rules.js';

const ID = /^[\w-]{1,80}$/;
const MAX_SOURCE = 300;
/** For parts of files, whose path has a number after the path of the file. */
const MAX_PATH_OF_PART = MAX_PATH + 5;

/** Returns whether a text may be JSON. */
export const isJson = (text: string): boolean => /^\s*[[{]/.test(text) && /[\]}]\s*$/.test(text.slice(-1_000));

/** Returns the documents of an export of the knowledge base; null when the text is not an export. */
export function exportedDocuments(text: string): ImportedDocument[] | null {
  const { items } = objectOf(parsedOrNull(text));
  if (!Array.isArray(items)) return null;
  const documents = items.map(toDocument);
  return documents.every((document) => document !== null) ? documents : null;
}

function toDocument(item: unknown): ImportedDocument | null {
  const { title, content, tags, id, path = null, source = null, createdAt, updatedAt } = objectOf(item);
  if (!isText(title, MAX_TITLE) || !isText(content, MAX_CONTENT)) return null;
  if (!Array.isArray(tags) || tags.length > MAX_TAGS || !tags.every((tag) => isText(tag, MAX_TAG))) return null;
  if (typeof id !== 'string' || !ID.test(id)) return null;
  if (!isTextOrNull(path, MAX_PATH_OF_PART) || !isTextOrNull(source, MAX_SOURCE)) return null;
  const stored = { path: toStored(path), source: toStored(source) };
  const facts = { id, ...stored, createdAt: momentOf(createdAt), updatedAt: momentOf(updatedAt) };
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

const toStored = (text: string | null): string | null => storableText(text ?? '') || null;

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

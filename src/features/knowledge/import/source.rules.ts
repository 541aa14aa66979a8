import { basename } from 'node:path';
import { InvalidSourceName } from '../documents/knowledge.errors.js';

/** Documents of a source have paths that begin with its name and a slash, so no name contains one. */
const NAME = /^[\p{L}\p{N}][^/\\\p{C}]{0,99}$/u;

/** The source of documents that a command has imported. A later edit of a document changes its source. */
export const IMPORT_SOURCE = 'import';

/** Returns the name of a source: the given one, or else the last name of its folder. @throws InvalidSourceName */
export function sourceName(given: string | undefined, place: string): string {
  const name = (given ?? basename(place)).normalize('NFC').trim();
  if (!NAME.test(name)) throw new InvalidSourceName(name);
  return name;
}

export const documentPath = (source: string, file: string): string => `${source}/${file}`;

/** Returns the path of the document for a part of a long file. @param index 0 = the first */
export const partPath = (path: string, index: number): string => (index === 0 ? path : `${path}#${index + 1}`);

/** Returns the path of the file to which a document belongs, possibly as a part. */
export const fileOfPart = (path: string): string => path.replace(/#\d{1,4}$/, '');

/** Returns the name of the source that a path begins with; null when it has none. */
export function sourceOfPath(path: string): string | null {
  const end = path.slice(0, 101).indexOf('/');
  const name = path.slice(0, Math.max(end, 0));
  return NAME.test(name) ? name : null;
}

export const isOfSource = (source: string, path: string): boolean => path.startsWith(documentPath(source, ''));

import { openingHeadings } from '../../../platform/markdown/title.rules.js';
import type { ImportedType } from './file-type.rules.js';

export interface ImportedFile {
  /** Identifies the document: a file with the same path replaces it. */
  path: string;
  content: string;
  /** Defaults to the type of the path's extension, or else plain text. */
  type?: ImportedType | undefined;
}

/** A file that only a library can convert to text. */
export interface ImportedBytes {
  path: string;
  bytes: Uint8Array<ArrayBuffer>;
}

interface ExportedFacts {
  id: string;
  path: string | null;
  source: string | null;
  createdAt: Date;
  updatedAt: Date;
}

export interface ImportedDocument {
  title: string;
  content: string;
  tags: readonly string[];
  /** Only for documents from an export. */
  exported?: ExportedFacts;
}

/** Returns whether the content may begin with front matter, which the YAML parser would have to read. */
export const hasFrontMatter = (content: string): boolean => /^\ufeff?---/.test(content);

/**
 * Converts a text, or Markdown without front matter, to a document. The title of Markdown is its first heading, or else the file's
 * name. A README that begins with a section such as "Installation" is titled by its folder.
 */
export function plainDocument({ path, content, type }: ImportedFile & { type: ImportedType }): ImportedDocument {
  const text = withUnixLines(content);
  return type === 'markdown' ? ofMarkdown(path, text) : { title: nameOf(path), content: text, tags: [] };
}

export const withUnixLines = (content: string): string => content.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');

export const ofMarkdown = (path: string, content: string): ImportedDocument => ({
  title: titleFrom(path, openingHeadings(content)),
  content,
  tags: [],
});

export function titleFrom(path: string, [heading, below]: readonly string[]): string {
  const isOfFolder = folderOf(path) !== null;
  if (heading === undefined || (isSection(heading) && isOfFolder)) return nameOf(path);
  // The heading after the title of a README is its first section; after the banner of a page, it is the title.
  return below === undefined || isOfFolder ? heading : `${heading}: ${below}`;
}

const isSection = (heading: string): boolean => SECTIONS.has(heading.toLowerCase().replace(/[^a-z ]/g, ''));

/** Titles of the first section in a README whose name is only in a picture, or missing. */
const SECTIONS = new Set(
  (
    'about,api,api reference,background,contents,description,documentation,example,examples,features,getting started,guide,highlights,' +
    'install,installation,installing,introduction,license,motivation,overview,purpose,quick start,quickstart,readme,setup,summary,' +
    'synopsis,table of contents,toc,usage,why'
  ).split(','),
);

/** Returns the name of the folder that a README or index describes; null for other files. */
function folderOf(path: string): string | null {
  const [name = '', folder] = path.split('/').reverse();
  return /^(?:readme|index)(?:\.[a-z]+)?$/i.test(name) && folder ? folder : null;
}

/** Returns the name of a file as a title: docs/how-to_deploy.md becomes `how to deploy`. A README or index is titled by its folder. */
export function nameOf(path: string): string {
  const folder = folderOf(path);
  if (folder !== null) return folder;
  const name = path.split('/').at(-1) ?? path;
  return (
    name
      .replace(/\.[a-z]+$/i, '')
      .replace(/[-_]+/g, ' ')
      .trim() || path
  );
}

import { parse as parseYaml } from 'yaml';
import { isObject } from '#bounded-json';
import { MAX_TAG, MAX_TAGS } from '../../../platform/text/words.rules.js';
import { openingHeadings } from '../../../platform/markdown/title.rules.js';
import { asciidocToMarkdown } from './asciidoc.rules.js';
import { restructuredToMarkdown } from './restructured-text.rules.js';
import { htmlToMarkdown, titleOfHtml } from './html-page.rules.js';

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

export const IMPORTED_TYPES = ['markdown', 'text', 'html', 'asciidoc', 'restructuredtext'] as const;
export type ImportedType = (typeof IMPORTED_TYPES)[number];

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

const TYPES: Record<string, ImportedType> = {
  md: 'markdown',
  markdown: 'markdown',
  mdown: 'markdown',
  txt: 'text',
  text: 'text',
  mdx: 'markdown',
  rst: 'restructuredtext',
  rest: 'restructuredtext',
  adoc: 'asciidoc',
  asciidoc: 'asciidoc',
  asc: 'asciidoc',
  html: 'html',
  htm: 'html',
};

/** Returns the type of a file by its extension; null when such files can't be imported. */
export function typeOfPath(path: string): ImportedType | null {
  const extension = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '';
  return TYPES[extension] ?? null;
}

/** Returns whether reading such files needs a library. */
export const isBinaryPath = (path: string): boolean => /\.(?:pdf|docx|epub)$/i.test(path);

/**
 * Converts a file to a document. The title is the declared one, or else the first heading, or else the file's name. A README that
 * begins with a section such as "Installation" is titled by its folder.
 */
export function toDocument({ path, content, type = typeOfPath(path) ?? 'text' }: ImportedFile): ImportedDocument {
  const text = content.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
  switch (type) {
    case 'markdown': {
      const { body, facts, title, tags } = withoutFrontMatter(text);
      const content = facts.length === 0 ? body : `${facts.join('\n')}\n\n${body}`;
      return { title: title ?? titleFrom(path, openingHeadings(body)), content, tags };
    }
    case 'html': {
      const body = htmlToMarkdown(text);
      return { title: titleOfHtml(text) ?? titleFrom(path, openingHeadings(body)), content: body, tags: [] };
    }
    case 'asciidoc':
      return ofMarkdown(path, asciidocToMarkdown(text));
    case 'restructuredtext':
      return ofMarkdown(path, restructuredToMarkdown(text));
    case 'text':
      return { title: nameOf(path), content: text, tags: [] };
  }
}

const ofMarkdown = (path: string, content: string): ImportedDocument => ({
  title: titleFrom(path, openingHeadings(content)),
  content,
  tags: [],
});

const FRONT_MATTER = /^---[ \t]*\n(?<yaml>[\s\S]*?)\n---[ \t]*(?:\n|$)/;
/** Longer front matter is treated as text. */
const MAX_FRONT_MATTER = 16_000;
const MOST_FACTS = 50;
const LONGEST_FACT = 500;

/** Returns whether the content may begin with front matter, which the YAML parser would have to read. */
export const hasFrontMatter = (content: string): boolean => /^\ufeff?---/.test(content);

interface FrontMatter {
  body: string;
  /** The fields other than title and tags, as list items. */
  facts: string[];
  title: string | null;
  tags: string[];
}

/** Separates front matter from the text; invalid front matter stays in the text. */
function withoutFrontMatter(text: string): FrontMatter {
  const match = FRONT_MATTER.exec(text.slice(0, MAX_FRONT_MATTER));
  const fields = match && fieldsOf(match.groups?.['yaml'] ?? '');
  if (!fields) return { body: text, facts: [], title: null, tags: [] };
  const { title, tags, ...others } = fields;
  return {
    body: text.slice(match[0].length).replace(/^\n+/, ''),
    facts: factsOf(others),
    title: typeof title === 'string' && title.trim() !== '' ? title : null,
    tags: toTags(tags),
  };
}

function fieldsOf(yaml: string): Record<string, unknown> | null {
  try {
    const fields: unknown = parseYaml(yaml, { maxAliasCount: 10, logLevel: 'error' });
    return isObject(fields) ? { ...fields } : null;
  } catch {
    return null;
  }
}

/** Formats fields for people and searches. */
const factsOf = (fields: Record<string, unknown>): string[] =>
  Object.entries(fields)
    .slice(0, MOST_FACTS)
    .flatMap(([name, value]) => {
      const values: unknown[] = Array.isArray(value) ? value : [value];
      const text = values
        .map(factOf)
        .filter((one) => one !== '')
        .join(', ')
        .slice(0, LONGEST_FACT)
        .toWellFormed();
      return text === '' ? [] : [`- ${name.replace(/\s+/g, ' ').slice(0, LONGEST_FACT).toWellFormed()}: ${text}`];
    });

function factOf(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value instanceof Date ? value : (value ?? ''));
  return text.replace(/^"|"$/g, '').replace(/\s+/g, ' ').trim();
}

function toTags(value: unknown): string[] {
  const list: unknown[] = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [];
  return list
    .filter((tag) => typeof tag === 'string' || typeof tag === 'number')
    .slice(0, MAX_TAGS)
    .map((tag) => String(tag).trim().slice(0, MAX_TAG));
}

function titleFrom(path: string, [heading, below]: readonly string[]): string {
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

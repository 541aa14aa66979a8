import sanitizeHtml from 'sanitize-html';
import TurndownService from 'turndown';
import { parse as parseYaml } from 'yaml';
import { MAX_TAG, MAX_TAGS } from '../../text/words.rules.js';
import { firstHeading } from '../../markdown/title.rules.js';
import type { ExportedFacts } from './export-file.rules.js';

/** A file that is to become a document. */
export interface ImportedFile {
  /** Identifies the document: a file with the same path replaces it. */
  path: string;
  content: string;
  /** Default: the type of the path's extension, or else plain text. */
  type?: ImportedType | undefined;
}

/** A file of which only a library can make a text. */
export interface ImportedBytes {
  path: string;
  bytes: Uint8Array<ArrayBuffer>;
}

export const IMPORTED_TYPES = ['markdown', 'text', 'html'] as const;
export type ImportedType = (typeof IMPORTED_TYPES)[number];

export interface ImportedDocument {
  title: string;
  content: string;
  tags: readonly string[];
  /** Known of a document that comes from an export. */
  exported?: ExportedFacts;
}

const TYPES: Record<string, ImportedType> = {
  md: 'markdown',
  markdown: 'markdown',
  mdown: 'markdown',
  txt: 'text',
  text: 'text',
  mdx: 'markdown',
  rst: 'text',
  rest: 'text',
  adoc: 'text',
  asciidoc: 'text',
  asc: 'text',
  html: 'html',
  htm: 'html',
};

/** Returns the type of a file by its extension; null when such files can't be imported. */
export function typeOfPath(path: string): ImportedType | null {
  const extension = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '';
  return TYPES[extension] ?? null;
}

/** Returns whether a library has to read such files. */
export const isBinaryPath = (path: string): boolean => /\.(?:pdf|docx|epub)$/i.test(path);

/** Converts a file to a document. The title is the declared one, or else the first heading, or else the file's name. */
export function toDocument({ path, content, type = typeOfPath(path) ?? 'text' }: ImportedFile): ImportedDocument {
  const text = content.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
  switch (type) {
    case 'markdown': {
      const { body, title, tags } = withoutFrontMatter(text);
      return { title: title ?? firstHeading(body) ?? nameOf(path), content: body, tags };
    }
    case 'html': {
      const body = htmlToMarkdown(text);
      return { title: titleOfHtml(text) ?? firstHeading(body) ?? nameOf(path), content: body, tags: [] };
    }
    case 'text':
      return { title: titleOfText(path, text) ?? nameOf(path), content: text, tags: [] };
  }
}

/** How much of a text is searched for its title. */
const TITLE_SEARCHED = 10_000;
const ASCIIDOC = /\.(?:adoc|asciidoc|asc)$/i;
const RESTRUCTURED = /\.(?:rst|rest)$/i;

/** Returns the title in the markup of a text: the first one of AsciiDoc or reStructuredText; null when it has none. */
function titleOfText(path: string, text: string): string | null {
  const lines = text.slice(0, TITLE_SEARCHED).split('\n');
  if (ASCIIDOC.test(path))
    return (
      lines
        .find((line) => /^=+ +\S/.test(line))
        ?.replace(/^=+ +/, '')
        .trim() ?? null
    );
  if (!RESTRUCTURED.test(path)) return null;
  const underline = lines.findIndex((line, index) => index > 0 && isUnderline(line, lines[index - 1] ?? ''));
  return lines[underline - 1]?.trim() ?? null;
}

// A line of one punctuation mark, at least as long as the title above it.
function isUnderline(line: string, title: string): boolean {
  const mark = line.trimEnd();
  const isLine = mark.length > 1 && /^[!-/:-@[-`{-~]/.test(mark) && mark === mark.charAt(0).repeat(mark.length);
  return isLine && /[\p{L}\p{N}]/u.test(title) && !/^\s/.test(title) && mark.length >= title.trimEnd().length;
}

const FRONT_MATTER = /^---[ \t]*\n(?<yaml>[\s\S]*?)\n---[ \t]*(?:\n|$)/;
/** Longer front matter is treated as text. */
const MAX_FRONT_MATTER = 16_000;

/** Returns whether the content may begin with front matter, which the YAML parser would have to read. */
export const hasFrontMatter = (content: string): boolean => /^\ufeff?---/.test(content);

interface FrontMatter {
  body: string;
  title: string | null;
  tags: string[];
}

/** Separates front matter from the text; what can't be read as front matter stays in the text. */
function withoutFrontMatter(text: string): FrontMatter {
  const match = FRONT_MATTER.exec(text.slice(0, MAX_FRONT_MATTER));
  const fields = match && fieldsOf(match.groups?.['yaml'] ?? '');
  if (!fields) return { body: text, title: null, tags: [] };
  const { title, tags } = fields;
  return {
    body: text.slice(match[0].length).replace(/^\n+/, ''),
    title: typeof title === 'string' && title.trim() !== '' ? title : null,
    tags: toTags(tags),
  };
}

function fieldsOf(yaml: string): Record<string, unknown> | null {
  try {
    const fields: unknown = parseYaml(yaml, { maxAliasCount: 10, logLevel: 'error' });
    return typeof fields === 'object' && fields !== null && !Array.isArray(fields) ? { ...fields } : null;
  } catch {
    return null;
  }
}

function toTags(value: unknown): string[] {
  const list: unknown[] = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [];
  return list
    .filter((tag) => typeof tag === 'string' || typeof tag === 'number')
    .slice(0, MAX_TAGS)
    .map((tag) => String(tag).trim().slice(0, MAX_TAG));
}

/** Returns the name of a file as a title: docs/how-to_deploy.md becomes `how to deploy`. */
export function nameOf(path: string): string {
  const name = path.split('/').at(-1) ?? path;
  return (
    name
      .replace(/\.[a-z]+$/i, '')
      .replace(/[-_]+/g, ' ')
      .trim() || path
  );
}

const turndown = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-' });

/** Converts a page to Markdown; leaves out scripts, styles, forms and navigation. */
export function htmlToMarkdown(html: string): string {
  const clean = sanitizeHtml(html, {
    allowedTags: [...sanitizeHtml.defaults.allowedTags.filter((tag) => tag !== 'nav'), 'img'],
    allowedAttributes: { a: ['href', 'title'], img: ['src', 'alt', 'title'], ol: ['start'], code: ['class'] },
    allowedSchemes: ['http', 'https', 'mailto'],
    nonTextTags: ['script', 'style', 'textarea', 'option', 'noscript', 'title', 'nav', 'template'],
    nestingLimit: 100,
  });
  return turndown.turndown(clean).trim();
}

/** Returns the title of a page; null when it has none. */
export function titleOfHtml(html: string): string | null {
  const start = OPENING.exec(html);
  if (!start) return null;
  const from = start.index + start[0].length;
  const title = html.slice(from, from + MAX_TITLE_CHARACTERS);
  const end = title.search(/<\/title/i);
  if (end < 0) return null;
  const text = turndown.turndown(sanitizeHtml(title.slice(0, end), { allowedTags: [] })).replace(/\\(.)/g, '$1');
  return text.replace(/\s+/g, ' ').trim() || null;
}

// `[^<>]*` stops at the next tag, so each character is looked at only once.
const OPENING = /<title(?:\s[^<>]*)?>/i;
const MAX_TITLE_CHARACTERS = 5_000;

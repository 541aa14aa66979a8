import { parse as parseYaml } from 'yaml';
import { isObject } from '#bounded-json';
import { MAX_TAG, MAX_TAGS } from '../../../platform/text/words.rules.js';
import { openingHeadings } from '../../../platform/markdown/title.rules.js';
import { asciidocToMarkdown } from './asciidoc.rules.js';
import { restructuredToMarkdown } from './restructured-text.rules.js';
import { typeOfPath } from './file-type.rules.js';
import { htmlToMarkdown, titleOfHtml } from './html-page.rules.js';
import {
  type ImportedDocument,
  type ImportedFile,
  ofMarkdown,
  plainDocument,
  titleFrom,
  withUnixLines,
} from './plain-file.rules.js';

/** Converts a file to a document. The title is the declared one, or else that of `plainDocument`. */
export function toDocument({ path, content, type = typeOfPath(path) ?? 'text' }: ImportedFile): ImportedDocument {
  if (type === 'text') return plainDocument({ path, content, type });
  const text = withUnixLines(content);
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
  }
}

const FRONT_MATTER = /^---[ \t]*\n(?<yaml>[\s\S]*?)\n---[ \t]*(?:\n|$)/;
/** Longer front matter is treated as text. */
const MAX_FRONT_MATTER = 16_000;
const MOST_FACTS = 50;
const LONGEST_FACT = 500;

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

import { blocksOf, type MarkdownBlocks, paragraphsOf } from '../../../platform/markdown/blocks.rules.js';
import { type Label, labelOf } from '../../../platform/text/label.rules.js';
import { languageOf } from '../../../platform/text/language.rules.js';
import {
  countWords,
  type IndexedText,
  toIndexedText,
  type WordCounts,
} from '../../../platform/text/word-counts.rules.js';
import { indexedText } from '../../../platform/text/words.rules.js';
import type { Document, Passage } from '../documents/document.js';
import { type Cut, cutsOf, linedOf } from './cuts.rules.js';
import { documentSectionsOf } from './document-sections.rules.js';

/**
 * Splits a Markdown document at its headings, then into passages of about 1,200 and at most 1,500 characters, which keep lists,
 * tables and code whole if they fit. Short sections stay with their subsections, and short documents whole. Passages are verbatim
 * parts of the document. Returns at least one.
 */
export function passagesOf(markdown: string): Passage[] {
  return passagesFrom(markdown, blocksOf(markdown));
}

/** Splits a document at blank lines only, when its Markdown is too costly to parse. */
export function plainPassagesOf(text: string): Passage[] {
  return passagesFrom(text, paragraphsOf(text));
}

function passagesFrom(text: string, { lines, blocks }: MarkdownBlocks): Passage[] {
  const lined = linedOf(text, lines);
  const passages = documentSectionsOf(blocks, lined).flatMap(({ headings, heading, content }) => {
    const end = heading ? (lined.starts[heading.to - 1] ?? 0) + (lines[heading.to - 1]?.length ?? 0) : 0;
    const cuts = cutsOf(lined, content);
    return (cuts.length > 0 ? cuts : [{ start: end, end, lead: '' }]).map((cut) => passageOf(text, headings, cut));
  });
  return passages.length > 0 ? passages : [{ headings: [], content: '', start: 0, lead: '' }];
}

function passageOf(text: string, headings: readonly string[], { start, end, lead }: Cut): Passage {
  const content = text.slice(start, end).trimEnd();
  // The indentation of a line is a part of it; the space between two sentences is not.
  const isLine = start === 0 || text[start - 1] === '\n';
  const skipped = isLine ? 0 : content.length - content.trimStart().length;
  return { headings, content: content.slice(skipped), start: start + skipped, lead };
}

export interface IndexedPassage extends Passage {
  words: IndexedText;
}

/** The search data of a document. */
export interface IndexedDocument {
  passages: IndexedPassage[];
  /** The words of the whole document. */
  counts: WordCounts;
}

export type PassageSource = Pick<Document, 'title' | 'tags' | 'content'> & {
  /** True when the document is treated as plain text. */
  isPlain?: boolean;
};

export const labelOfTag = (tag: string): Label => labelOf('tag', tag);

/** Splits a document into passages. Each is also indexed by the title and the tags of the document. */
export function indexedDocumentOf({ isPlain = false, ...document }: PassageSource): IndexedDocument {
  const language = languageOf(`${document.title}\n${document.content}`);
  const wordsOf = (text: string) => indexedText(text, language);
  const [title, tags] = [wordsOf(document.title), wordsOf(document.tags.join('\n'))];
  const labels = document.tags.map(labelOfTag);
  const found = isPlain ? plainPassagesOf(document.content) : passagesOf(document.content);
  const passages = found.map((passage) => {
    const above = wordsOf([...passage.headings, passage.lead].join('\n'));
    const context = [above, tags].filter((words) => words !== '').join(' ');
    const body = wordsOf(withoutContents(passage.content));
    return { ...passage, words: toIndexedText({ title, context, body }, language, labels) };
  });
  const contexts = new Set(passages.map(({ words }) => words.context));
  const body = passages.map(({ words }) => words.body).join(' ');
  return { passages, counts: countWords({ title, context: [...contexts].join(' '), body }) };
}

// A list item that only links to another place in the same document.
const CONTENTS_LINE = /^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[[^\]]*\]\(#[^()\s]*\)[ \t]*$/;

/** Leaves out tables of contents: they match the words of all headings, but are no answer. */
function withoutContents(text: string): string {
  if (!text.includes('](#')) return text;
  return text
    .split('\n')
    .filter((line) => !CONTENTS_LINE.test(line))
    .join('\n');
}

import { languageOf } from '../../text/language.rules.js';
import { countWords, type IndexedText, toIndexedText, type WordCounts } from '../../text/word-counts.rules.js';
import { indexedText } from '../../text/words.rules.js';
import type { Passage, Document } from '../document.js';
import { type Heading, headingOf } from './heading.rules.js';

const PASSAGE_CHARACTERS = 1200;
/** After this many sections, the rest of a document is split at paragraphs only. */
const MOST_SECTIONS = 5_000;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/**
 * Splits a Markdown document at its headings, then at paragraphs, into passages of at most 1,200 characters. Returns at
 * least one passage.
 */
export function passagesOf(markdown: string): Passage[] {
  const passages = sectionsOf(markdown).flatMap(({ headings, content }) =>
    packed(paragraphsOf(content)).map((text) => ({ headings, content: text })),
  );
  return passages.length > 0 ? passages : [{ headings: [], content: '' }];
}

function sectionsOf(markdown: string): Passage[] {
  const sections: Passage[] = [];
  let path: Heading[] = [];
  let lines: string[] = [];
  let fence: string | null = null;
  const endSection = (nextLevel: number) => {
    const headings = path.map(({ title }) => title).filter((title) => title !== '');
    const content = lines.join('\n');
    // A heading without text is a passage too, unless it has subheadings.
    const isAlone = headings.length > 0 && nextLevel <= (path.at(-1)?.level ?? 0);
    if (content.trim() !== '' || isAlone) sections.push({ headings, content });
    lines = [];
  };
  for (const line of markdown.split('\n')) {
    const mark = FENCE.exec(line)?.[1];
    if (mark !== undefined && (fence === null || mark.startsWith(fence))) fence = fence === null ? mark : null;
    const heading = fence === null && sections.length < MOST_SECTIONS ? headingOf(line) : null;
    if (!heading) {
      lines.push(line);
      continue;
    }
    endSection(heading.level);
    path = [...path.filter(({ level }) => level < heading.level), heading];
  }
  endSection(0);
  return sections;
}

function paragraphsOf(text: string): string[] {
  return text
    .split(/\n[ \t]*\n/)
    .map((paragraph) => paragraph.replace(/^\n+/, '').trimEnd())
    .filter((paragraph) => paragraph !== '')
    .flatMap((paragraph) => pieces(paragraph));
}

/** Cuts a long paragraph at the end of a line or a sentence, or else between words, or else anywhere. */
function pieces(paragraph: string): string[] {
  const found: string[] = [];
  let rest = paragraph;
  while (rest.length > PASSAGE_CHARACTERS) {
    const window = rest.slice(0, PASSAGE_CHARACTERS);
    const cut = [/\n(?=[^\n]*$)/, /[.!?]\s(?=[^.!?]*$)|[。！？](?=[^。！？]*$)/u, /\s(?=\S*$)/]
      .map((boundary) => boundary.exec(window))
      .map((match) => (match ? match.index + match[0].length : 0))
      .find((at) => at > PASSAGE_CHARACTERS / 3);
    const at = cut ?? wholeCharacters(window);
    found.push(rest.slice(0, at).trimEnd());
    rest = rest.slice(at).trimStart();
  }
  return [...found, rest].filter((piece) => piece !== '');
}

// Never cuts between the two halves of a surrogate pair.
const wholeCharacters = (window: string): number =>
  /[\ud800-\udbff]$/.test(window) ? window.length - 1 : window.length;

function packed(paragraphs: readonly string[]): string[] {
  if (paragraphs.length === 0) return [''];
  const passages: string[] = [];
  for (const paragraph of paragraphs) {
    const last = passages.at(-1);
    if (last !== undefined && last.length + paragraph.length + 2 <= PASSAGE_CHARACTERS) {
      passages[passages.length - 1] = `${last}\n\n${paragraph}`;
    } else passages.push(paragraph);
  }
  return passages;
}

/** A passage with the words that it is indexed by. */
export interface IndexedPassage extends Passage {
  words: IndexedText;
}

/** A document as searches know it. */
export interface IndexedDocument {
  passages: IndexedPassage[];
  /** The words of the whole document. */
  counts: WordCounts;
}

export type PassageSource = Pick<Document, 'title' | 'tags' | 'content'>;

/** Splits a document into passages. Each is also indexed by the title and the tags of the document. */
export function indexedDocumentOf(document: PassageSource): IndexedDocument {
  const language = languageOf(`${document.title}\n${document.content}`);
  const wordsOf = (text: string) => indexedText(text, language);
  const [title, tags] = [wordsOf(document.title), wordsOf(document.tags.join('\n'))];
  const passages = passagesOf(document.content).map((passage) => {
    const context = [wordsOf(passage.headings.join('\n')), tags].filter((words) => words !== '').join(' ');
    return { ...passage, words: toIndexedText({ title, context, body: wordsOf(passage.content) }, language) };
  });
  const contexts = new Set(passages.map(({ words }) => words.context));
  const body = passages.map(({ words }) => words.body).join(' ');
  return { passages, counts: countWords({ title, context: [...contexts].join(' '), body }) };
}

import type TurndownService from 'turndown';
import { lowered, raised } from './raised.rules.js';

/** The parts of a DOM element that are used here. */
interface Node {
  nodeName: string;
  textContent: string | null;
  parentNode: Node | null;
  nextSibling: Node | null;
  childNodes: ArrayLike<Node>;
  getAttribute?: (name: string) => string | null;
}

const HEADINGS = new Set(['H1', 'H2', 'H3', 'H4', 'H5', 'H6']);
const CHECKED_IN = new Set(['LI', 'P', 'TD', 'TH']);
const MAX_TERM = 200;
const MAX_FORMULA = 2_000;

/** Keeps formulas, superscript and subscript numbers, checkboxes, terms, and titles of notes. */
export function keepMarkup(turndown: TurndownService): void {
  turndown.addRule('raised', { filter: ['sup'], replacement: raised });
  turndown.addRule('lowered', { filter: ['sub'], replacement: lowered });
  turndown.addRule('formula', {
    filter: (node: Node) => node.nodeName.toUpperCase() === 'MATH',
    replacement: (_content, node: Node) => formulaOf(node),
  });
  turndown.addRule('box', {
    filter: (node: Node) => node.nodeName === 'INPUT',
    replacement: (_content, node: Node) => {
      if (!CHECKED_IN.has(node.parentNode?.nodeName ?? '')) return '';
      const space = /^\s/.test(node.nextSibling?.textContent ?? '') ? '' : ' ';
      return (attributeOf(node, 'checked') === null ? '[ ]' : '[x]') + space;
    },
  });
  // Drop the text of buttons, unless it is the title of a section.
  turndown.addRule('button', {
    filter: (node: Node) => node.nodeName === 'BUTTON',
    replacement: (content, node: Node) => (HEADINGS.has(node.parentNode?.nodeName ?? '') ? content : ''),
  });
  turndown.addRule('term', {
    filter: (node: Node) => node.nodeName === 'DT' || /\badmonition-title\b/.test(attributeOf(node, 'class') ?? ''),
    replacement: (content) => {
      const term = content.trim();
      return /^[^\n*_`#![\]]+$/.test(term) && term.length <= MAX_TERM ? `\n\n**${term}**\n\n` : `\n\n${term}\n\n`;
    },
  });
  // API pages have whole sections as list items.
  turndown.addRule('section', {
    filter: (node: Node) => node.nodeName === 'LI' && hasHeading(node),
    replacement: (content) => `\n\n${content.trim()}\n\n`,
  });
}

function formulaOf(node: Node): string {
  const source = childrenOf(node).find(
    (child) => child.nodeName.toUpperCase() === 'ANNOTATION' && /tex/i.test(attributeOf(child, 'encoding') ?? ''),
  );
  const text = (source?.textContent ?? node.textContent ?? '').replace(/\s+/g, ' ').trim();
  if (text === '') return '';
  return source && text.length <= MAX_FORMULA ? `$${text}$` : text;
}

function hasHeading(item: Node): boolean {
  return childrenOf(item).some(
    ({ nodeName, childNodes }) =>
      HEADINGS.has(nodeName) ||
      (/^(?:SECTION|DIV|ARTICLE)$/.test(nodeName) && HEADINGS.has(childNodes[0]?.nodeName ?? '')),
  );
}

/**
 * Converts footnotes to `[^1]`, where a page lists them below its text. Returns a function that collects the notes of the next
 * page, to call before converting it.
 */
export function keepNotes(turndown: TurndownService): (page: string) => void {
  let labels = new Map<string, string>();
  turndown.addRule('note', {
    filter: (node: Node) => node.nodeName === 'LI' && labels.has(attributeOf(node, 'id') ?? ''),
    replacement: (content, node: Node) => {
      const text = content.replace(BACK, '').trim().replace(/\n+/g, '\n    ');
      return text === '' ? '' : `\n\n[^${labels.get(attributeOf(node, 'id') ?? '') ?? ''}]: ${text}\n\n`;
    },
  });
  turndown.addRule('reference', {
    filter: (node: Node) => node.nodeName === 'A' && labels.has(targetOf(node)),
    replacement: (_content, node: Node) => `[^${labels.get(targetOf(node)) ?? ''}]`,
  });
  return (page) => {
    const notes = new Set(Array.from(page.matchAll(NOTE), ([, id = '']) => id));
    labels = new Map();
    for (const [, id = '', label = ''] of page.matchAll(REFERENCE)) {
      if (notes.has(id) && !labels.has(id)) labels.set(id, label);
    }
  };
}

const REFERENCE =
  /<a (?:[\w-]{1,20}="[^"]{0,400}" ){0,5}href="[^"#]{0,200}#([^"]{1,200})"[^<>]{0,400}>(?:<(?:sup|span)(?: [^<>]{0,200})?>){0,2}\[?(?:<\/span>)?(\d{1,4})(?:<span(?: [^<>]{0,200})?>)?\]?</g;
const NOTE = /<li (?:[\w-]{1,20}="[^"]{0,400}" ){0,5}id="([^"]{1,200})"/g;
// A link from the note back to its reference.
const BACK = /\s*\*{0,2}\[(?:\\?[↑↩^⏎⤴]|\ufe0e|\\?\[\\?[↑↩]\\?\])+\]\([^()\s]{0,200}(?:\s"[^"]{0,100}")?\)\*{0,2}/g;

const targetOf = (node: Node): string => attributeOf(node, 'href')?.split('#')[1] ?? '';
const attributeOf = (node: Node, name: string): string | null => node.getAttribute?.(name) ?? null;
const childrenOf = (node: Node): Node[] => Array.from(node.childNodes).filter(({ nodeName }) => !/^#/.test(nodeName));

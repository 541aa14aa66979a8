import sanitizeHtml from 'sanitize-html';
import TurndownService from 'turndown';
import { keepCode } from './code-markup.rules.js';
import { keepMarkup, keepNotes } from './html-markup.rules.js';
import { keepTables } from './table-markup.rules.js';

const turndown = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-' });
keepMarkup(turndown);
keepTables(turndown);
keepCode(turndown);
const notesOf = keepNotes(turndown);

/** Roles of elements that are left out: those for finding or leaving a page. */
const ROLES = new Set(['navigation', 'search', 'menu', 'menubar']);
const FURNITURE =
  /(?:^|\s)(?:toc|table-of-contents|tableOfContents\w*|theme-doc-toc-\w+|mw-editsection|noprint|md-skip|skip-?link|skip-to-content|skipToContent\w*|linenos?|linenodiv|linenumber|line-numbers-rows|MsoToc\d)(?=\s|$)/;
const MAY_BE_FURNITURE = new Set(['div', 'span', 'ul', 'ol', 'a', 'td', 'p', 'section', 'aside', 'pre']);
// The sign of a link from a heading to itself.
const PERMALINK = /^[\s¶#§🔗\u200b\u00b6]*$/u;

const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: [
    ...sanitizeHtml.defaults.allowedTags.filter((tag) => tag !== 'nav'),
    ...['img', 'main', 'math', 'annotation', 'input', 'button'],
  ],
  allowedAttributes: {
    // The filter of pages uses these attributes; sanitising removes all others first.
    '*': ['class', 'role', 'aria-hidden'],
    a: ['href', 'title'],
    img: ['src', 'alt', 'title'],
    ol: ['start'],
    td: ['colspan', 'rowspan'],
    th: ['colspan', 'rowspan'],
    input: ['type', 'checked'],
    annotation: ['encoding'],
    li: ['id'],
  },
  allowedSchemes: ['http', 'https', 'mailto'],
  nonTextTags: ['script', 'style', 'textarea', 'option', 'noscript', 'title', 'nav', 'template'],
  nestingLimit: 100,
  transformTags: {
    '*': (tagName, attribs) =>
      attribs['role'] === 'main' || tagName === 'main' ? { tagName: 'main', attribs: {} } : { tagName, attribs },
  },
  exclusiveFilter: ({ tag, attribs, text }) =>
    attribs['aria-hidden'] === 'true' ||
    ROLES.has(attribs['role'] ?? '') ||
    (MAY_BE_FURNITURE.has(tag) && FURNITURE.test(attribs['class'] ?? '')) ||
    (tag === 'input' && attribs['type'] !== 'checkbox') ||
    (tag === 'a' && isOwnLink(attribs, text)),
};

const isOwnLink = ({ href = '' }: sanitizeHtml.Attributes, text: string): boolean =>
  href.includes('#') && (/^#/.test(href) ? /[¶#§🔗\u200b]/u : /¶/u).test(text) && PERMALINK.test(text);

/**
 * Converts a page to Markdown: its main part, if it is marked. Leaves out scripts, styles, forms, navigation, and links of
 * headings to themselves.
 */
export function htmlToMarkdown(html: string): string {
  const page = mainPart(sanitizeHtml(html, OPTIONS));
  notesOf(page);
  return turndown.turndown(page).trim();
}

/** Returns the content of the only main part of a sanitised page; the whole page when there is none, or it has no text. */
function mainPart(page: string): string {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: tag, index } of page.matchAll(/<\/?main>/g)) {
    depth += tag === '<main>' ? 1 : -1;
    if (tag === '<main>' && depth === 1) start = index;
    if (depth === 0) parts.push(page.slice(start, index));
  }
  const [part = ''] = parts;
  return parts.length === 1 && /\p{L}/u.test(part.replace(/<[^<>]*>/g, '')) ? part : page;
}

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

// `[^<>]*` stops at the next tag, so each character is examined only once.
const OPENING = /<title(?:\s[^<>]*)?>/i;
const MAX_TITLE_CHARACTERS = 5_000;

import sanitizeHtml from 'sanitize-html';
import TurndownService from 'turndown';

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

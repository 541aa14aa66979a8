import sanitizeHtml from 'sanitize-html';
import TurndownService from 'turndown';

const turndown = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-' });

/** What a page says, as Markdown; scripts, styles, forms and navigation are left out. */
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

export function titleOfHtml(html: string): string | null {
  const title = /<title[^>]*>([\s\S]*?)<\/title>/i.exec(html)?.[1] ?? '';
  const text = turndown.turndown(sanitizeHtml(title, { allowedTags: [] })).replace(/\\(.)/g, '$1');
  return text.replace(/\s+/g, ' ').trim() || null;
}

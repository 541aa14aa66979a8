import sanitizeHtml from 'sanitize-html';
import TurndownService from 'turndown';
import type { DocumentContent, DocumentItem } from './document.js';
import { toHttpUrl } from './formats/format.rules.js';
import { withTextEscaped } from './markup.rules.js';

/** The rest is not converted: for some HTML, the conversion takes quadratic time. */
const MAX_HTML_CHARACTERS = 100_000;
/** Limits growth in the conversion: nested quotations become up to a hundred times as long. */
const MAX_MARKDOWN_CHARACTERS = 200_000;
/** Characters of HTML that a summary is made from. */
const SUMMARIZED_CHARACTERS = 10_000;
const MAX_SUMMARY_CHARACTERS = 500;
const MAX_TITLE_CHARACTERS = 300;
const BLOCKS = 'p div br hr h1 h2 h3 h4 h5 h6 ul ol li dl dt dd blockquote pre table tr td th figure figcaption'.split(
  ' ',
);
const INLINES = 'a b i em strong code del s sup sub span img thead tbody kbd q cite mark'.split(' ');
const BEFORE_BLOCK = new RegExp(`<(?=/?(?:${BLOCKS.join('|')})\\b)`, 'gi');
const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };

const turndown = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-' });

/** Returns the content of an item as Markdown: sanitises the HTML first, then converts it. */
export function toMarkdown(item: DocumentItem, feedUrl: string): string {
  const content = item.content && contentMarkdown(item.content, item.url ?? feedUrl);
  const attachments = item.attachments.map(({ url, type }) => `- Attachment: <${url}>${type ? ` (${type})` : ''}`);
  return [content, attachments.join('\n')].filter((part) => part).join('\n\n');
}

function contentMarkdown({ text, isHtml }: DocumentContent, base: string): string {
  const cut = text.slice(0, MAX_HTML_CHARACTERS);
  const markdown = isHtml ? turndown.turndown(sanitized(cut, base)) : cut;
  return markdown.trim().slice(0, MAX_MARKDOWN_CHARACTERS).toWellFormed();
}

/** Returns the start of an item's content as plain text. */
export function toSummary({ content }: DocumentItem): string {
  if (!content) return '';
  const text = content.text.slice(0, SUMMARIZED_CHARACTERS);
  return shortened(content.isHtml ? toPlainText(text) : collapsed(text), MAX_SUMMARY_CHARACTERS);
}

/** Returns a title or a name as one line of plain text; null when nothing is left. */
export function toLine(html: string | null): string | null {
  return html === null ? null : shortened(toPlainText(withTextEscaped(html)), MAX_TITLE_CHARACTERS) || null;
}

function toPlainText(html: string): string {
  const escaped = sanitizeHtml(html.replace(BEFORE_BLOCK, ' <'), { allowedTags: [], allowedAttributes: {} });
  return collapsed(escaped.replace(/&(?:lt|gt|quot|amp);/g, (entity) => ENTITIES[entity] ?? entity));
}

function sanitized(html: string, base: string): string {
  return sanitizeHtml(html, {
    allowedTags: [...BLOCKS, ...INLINES],
    allowedAttributes: { a: ['href', 'title'], img: ['src', 'alt', 'title'], ol: ['start'], code: ['class'] },
    allowedSchemes: ['http', 'https', 'mailto'],
    nestingLimit: 50,
    transformTags: { a: withAbsolute('href', base), img: withAbsolute('src', base) },
    exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !attribs['src'],
  });
}

function withAbsolute(attribute: string, base: string): sanitizeHtml.Transformer {
  return (tagName, attribs) => {
    const { [attribute]: target = '', ...others } = attribs;
    if (tagName === 'img' && isTrackingPixel(attribs)) return { tagName, attribs: {} };
    const url = /^mailto:/i.test(target) ? target : toHttpUrl(target, base);
    return { tagName, attribs: { ...others, ...(url && { [attribute]: url }) } };
  };
}

const isTrackingPixel = ({ width, height }: sanitizeHtml.Attributes): boolean => width === '1' || height === '1';

const collapsed = (text: string): string => text.replace(/\s+/g, ' ').trim();

function shortened(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length - 1);
  const lastSpace = cut.lastIndexOf(' ');
  return `${(lastSpace > length / 2 ? cut.slice(0, lastSpace) : cut).toWellFormed()}…`;
}

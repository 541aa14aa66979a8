import MarkdownIt, { type Env, type Token } from 'markdown-it';

const parser = new MarkdownIt({ html: true });
parser.core.ruler.enableOnly(['block', 'inline', 'text_join']);

/** A longer text is left as it is written. */
const MAX_CHARACTERS = 2_000;
// Without any of these, a text says what it means.
const MARKUP = /[\\`*_[\]<>&!~\n]/;

/**
 * Returns what a line of Markdown says, without its markup: `[Links](url)`, `code` and **bold** become plain text, pictures
 * become their descriptions.
 * @param env what the rest of the document defines, such as the targets of links
 */
export function inlineText(markdown: string, env: Env = {}): string {
  if (!MARKUP.test(markdown) || markdown.length > MAX_CHARACTERS) return tidy(markdown);
  return tidy(parser.parseInline(markdown, env).map(textOf).join(''));
}

function textOf({ type, content, children }: Token): string {
  if (type === 'softbreak' || type === 'hardbreak') return ' ';
  if (type === 'html_inline') return '';
  return children && children.length > 0 ? children.map(textOf).join('') : content;
}

const tidy = (text: string): string => text.split(/\s+/).filter(Boolean).join(' ');

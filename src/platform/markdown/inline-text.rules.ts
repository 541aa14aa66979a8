import MarkdownIt, { type Env, type Token } from 'markdown-it';

const parser = new MarkdownIt({ html: true });
parser.core.ruler.enableOnly(['block', 'inline', 'text_join']);

/** A longer text is left as it is written. */
const MAX_CHARACTERS = 2_000;
// Without any of these, a text says what it means.
const MARKUP = /[\\`*_[\]<>&!~\n]/;

/**
 * Returns what a line of Markdown says, without its markup: `[Links](url)`, `code` and **bold** become plain text; pictures are
 * left out, unless there is nothing else: then they become their descriptions.
 * @param env what the rest of the document defines, such as the targets of links
 */
export function inlineText(markdown: string, env: Env = {}): string {
  if (!MARKUP.test(markdown) || markdown.length > MAX_CHARACTERS) return tidy(markdown);
  const tokens = parser.parseInline(markdown, env);
  return tidy(textOf(tokens, () => '')) || tidy(textOf(tokens, ({ content }) => content));
}

function textOf(tokens: readonly Token[], pictureOf: (picture: Token) => string): string {
  return tokens
    .map((token) => {
      if (token.type === 'softbreak' || token.type === 'hardbreak') return ' ';
      if (token.type === 'html_inline') return '';
      if (token.type === 'image') return ` ${pictureOf(token)} `;
      return token.children && token.children.length > 0 ? textOf(token.children, pictureOf) : token.content;
    })
    .join('');
}

const tidy = (text: string): string => text.split(/\s+/).filter(Boolean).join(' ');

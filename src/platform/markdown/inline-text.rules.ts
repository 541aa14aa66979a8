import MarkdownIt, { type Env, type Token } from 'markdown-it';

const parser = new MarkdownIt({ html: true });
parser.core.ruler.enableOnly(['block', 'inline', 'text_join']);

/** Longer texts are left as written. */
const MAX_CHARACTERS = 2_000;
// Without any of these, a text has no markup.
const MARKUP = /[\\`*_[\]<>&!~\n]/;

/**
 * Returns the text of a Markdown line without markup: `[Links](url)`, `code` and **bold** become plain text; pictures are
 * removed, or replaced by their descriptions if there is nothing else.
 * @param env definitions from the rest of the document, such as link targets
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

import type TurndownService from 'turndown';

/** The parts of a DOM element that are used here. */
interface Node {
  nodeName: string;
  textContent: string | null;
  parentNode: Node | null;
  childNodes: ArrayLike<Node>;
  getAttribute?: (name: string) => string | null;
}

/** Elements that some programs use for lines of code. */
const LINES = new Set(['DIV', 'P', 'LI', 'TR']);
const LANGUAGE = /(?:^|\s)(?:language-|lang-|highlight-source-|highlight-|brush:\s*|sourceCode\s+)([\w+#.-]{1,30})/;
// Class names that programs use for code without a language.
const UNKNOWN = new Set(['default', 'none', 'text', 'plaintext', 'notranslate', 'highlight', 'sourceCode']);

/** Keeps preformatted text and code literal, even where it is not marked as such, as in Confluence, Sphinx and many books. */
export function keepCode(turndown: TurndownService): void {
  turndown.addRule('preformatted', {
    filter: (node: Node) => node.nodeName === 'PRE',
    replacement: (_content, node: Node) => {
      const code = textOf(node).replace(/^\n+|\s+$/g, '');
      const longest = [...code.matchAll(/^`{3,}/gm)].reduce((most, [marks]) => Math.max(most, marks.length), 2);
      const fence = '`'.repeat(longest + 1);
      return code.trim() === '' ? '' : `\n\n${fence}${languageOf(node)}\n${code}\n${fence}\n\n`;
    },
  });
  // Links would become part of the code.
  turndown.addRule('code', {
    filter: (node: Node) => node.nodeName === 'CODE' && node.parentNode?.nodeName !== 'PRE',
    replacement: (_content, node: Node) => {
      const code = (node.textContent ?? '').replace(/\s+/g, ' ').trim();
      const longest = [...code.matchAll(/`+/g)].reduce((most, [marks]) => Math.max(most, marks.length), 0);
      const fence = '`'.repeat(longest + 1);
      return code === '' ? '' : longest > 0 ? `${fence} ${code} ${fence}` : fence + code + fence;
    },
  });
}

function languageOf(node: Node): string {
  const code = Array.from(node.childNodes).find(({ nodeName }) => nodeName === 'CODE');
  for (const element of [code, node, node.parentNode, node.parentNode?.parentNode]) {
    const language = LANGUAGE.exec(element?.getAttribute?.('class') ?? '')?.[1];
    if (language !== undefined) return UNKNOWN.has(language) ? '' : language;
  }
  return '';
}

function textOf(node: Node): string {
  if (node.nodeName === 'BR') return '\n';
  if (node.childNodes.length === 0) return node.textContent ?? '';
  const text = Array.from(node.childNodes).map(textOf).join('');
  return LINES.has(node.nodeName) && !text.endsWith('\n') ? `${text}\n` : text;
}

import type TurndownService from 'turndown';

/** What is looked at of an element. */
interface Node {
  nodeName: string;
  textContent: string | null;
  firstChild: Node | null;
  childNodes: ArrayLike<Node>;
}

/** Has preformatted text written as code, also where it is not marked as such, as Confluence, Sphinx and many books have it. */
export function keepCode(turndown: TurndownService): void {
  turndown.addRule('preformatted', {
    filter: (node: Node) => node.nodeName === 'PRE' && node.firstChild?.nodeName !== 'CODE',
    replacement: (_content, node: Node) => {
      const code = textOf(node).replace(/^\n|\n+$/g, '');
      const longest = [...code.matchAll(/^`{3,}/gm)].reduce((most, [marks]) => Math.max(most, marks.length), 2);
      const fence = '`'.repeat(longest + 1);
      return code.trim() === '' ? '' : `\n\n${fence}\n${code}\n${fence}\n\n`;
    },
  });
}

const textOf = (node: Node): string =>
  node.nodeName === 'BR'
    ? '\n'
    : node.childNodes.length === 0
      ? (node.textContent ?? '')
      : Array.from(node.childNodes).map(textOf).join('');

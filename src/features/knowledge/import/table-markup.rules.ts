import type TurndownService from 'turndown';

/** What is looked at of an element. */
interface Node {
  nodeName: string;
  parentNode: Node | null;
  childNodes: ArrayLike<Node>;
}

/** A table that can be written in Markdown. */
interface PlainTable {
  columns: number;
  firstRow: Node;
}

/** What a cell of a Markdown table can't hold. */
const TOO_MUCH = new Set('TABLE,H1,H2,H3,H4,H5,H6,PRE,BLOCKQUOTE,HR'.split(','));
const GROUPS = new Set(['THEAD', 'TBODY', 'TFOOT']);
/** Children of a table that are no part of its rows. */
const ABOUT = new Set(['CAPTION', 'COLGROUP', 'COL']);
const CELLS = new Set(['TD', 'TH']);
const MAX_COLUMNS = 50;

/**
 * Has tables of plain cells written as Markdown tables, their first row as the heading; others, such as those that lay out a
 * page, are written as texts.
 */
export function keepTables(turndown: TurndownService): void {
  const known = new WeakMap<Node, { plain: PlainTable | null }>();
  const tableOf = (node: Node): PlainTable | null => {
    const table = tableAround(node);
    if (!table) return null;
    const facts = known.get(table) ?? { plain: plainTable(table) };
    known.set(table, facts);
    return facts.plain;
  };
  const isIn = (names: ReadonlySet<string>) => (node: Node) => names.has(node.nodeName) && tableOf(node) !== null;

  turndown.addRule('cell', {
    filter: isIn(CELLS),
    replacement: (content) => ` ${inOneLine(content).replaceAll('|', '\\|')} |`,
  });
  turndown.addRule('row', {
    filter: isIn(new Set(['TR'])),
    replacement: (content, node: Node) => {
      const { columns = 0, firstRow } = tableOf(node) ?? {};
      const row = `|${content}${'  |'.repeat(columns - cellsOf(node).length)}\n`;
      return node === firstRow ? `${row}|${' --- |'.repeat(columns)}\n` : row;
    },
  });
  turndown.addRule('caption', { filter: isIn(new Set(['CAPTION'])), replacement: (content) => `${content}\n\n` });
  turndown.addRule('rows', { filter: isIn(GROUPS), replacement: (content) => content });
  turndown.addRule('table', { filter: isIn(new Set(['TABLE'])), replacement: (content) => `\n\n${content}\n\n` });
}

const inOneLine = (text: string): string =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim().replace(/^- +/, '• '))
    .filter((line) => line !== '')
    .join(' ');

/** Returns the table that an element is, or is a part of; null when its parents are no parts of one. */
function tableAround(node: Node): Node | null {
  let table: Node | null = node;
  if (CELLS.has(table.nodeName) || ABOUT.has(table.nodeName)) table = table.parentNode;
  if (table?.nodeName === 'TR') table = table.parentNode;
  if (table && GROUPS.has(table.nodeName)) table = table.parentNode;
  return table?.nodeName === 'TABLE' ? table : null;
}

function plainTable(table: Node): PlainTable | null {
  const rows = childrenOf(table)
    .filter(({ nodeName }) => !ABOUT.has(nodeName))
    .flatMap((child) => (GROUPS.has(child.nodeName) ? childrenOf(child) : [child]));
  const [firstRow] = rows;
  const columns = rows.reduce((most, row) => Math.max(most, cellsOf(row).length), 0);
  const isPlain = rows.every((row) => row.nodeName === 'TR' && cellsOf(row).every(isPlainCell));
  return firstRow && isPlain && rows.length > 1 && columns > 1 && columns <= MAX_COLUMNS ? { columns, firstRow } : null;
}

const isPlainCell = (node: Node): boolean =>
  childrenOf(node).every((child) => !TOO_MUCH.has(child.nodeName) && isPlainCell(child));

const cellsOf = (row: Node): Node[] => childrenOf(row).filter(({ nodeName }) => CELLS.has(nodeName));

const childrenOf = (node: Node): Node[] =>
  Array.from(node.childNodes).filter(({ nodeName }) => !nodeName.startsWith('#'));

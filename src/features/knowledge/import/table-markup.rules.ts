import type TurndownService from 'turndown';

/** The parts of a DOM element that are used here. */
interface Node {
  nodeName: string;
  parentNode: Node | null;
  childNodes: ArrayLike<Node>;
  getAttribute?: (name: string) => string | null;
}

/** What a cell of a Markdown table can't hold. */
const TOO_MUCH = new Set('TABLE,H1,H2,H3,H4,H5,H6,PRE,BLOCKQUOTE,HR'.split(','));
const GROUPS = new Set(['THEAD', 'TBODY', 'TFOOT']);
/** Children of a table that are not part of its rows. */
const ABOUT = new Set(['CAPTION', 'COLGROUP', 'COL']);
const CELLS = new Set(['TD', 'TH']);
const MAX_COLUMNS = 50;
/** Maximum length of a repeated text, and of all repeated texts together, relative to the table. */
const MAX_REPEATED = 60;
const REPEATED = 4;

/**
 * Converts tables of plain cells to Markdown tables, with the first row as the heading; others, such as layout tables, become
 * plain texts. A cell that spans columns or rows is repeated in each of them.
 */
export function keepTables(turndown: TurndownService): void {
  const known = new WeakMap<Node, { rows: Node[] | null }>();
  const texts = new WeakMap<Node, string>();
  const rowsOf = (node: Node): Node[] | null => {
    const table = tableAround(node);
    if (!table) return null;
    const facts = known.get(table) ?? { rows: plainRows(table) };
    known.set(table, facts);
    return facts.rows;
  };
  const isIn = (names: ReadonlySet<string>) => (node: Node) => names.has(node.nodeName) && rowsOf(node) !== null;

  turndown.addRule('cell', {
    filter: isIn(CELLS),
    replacement: (content, node: Node) => {
      texts.set(node, inOneLine(content).replaceAll('|', '\\|'));
      return '';
    },
  });
  turndown.addRule('row', { filter: isIn(new Set(['TR'])), replacement: () => '' });
  turndown.addRule('caption', { filter: isIn(new Set(['CAPTION'])), replacement: (content) => content.trim() });
  turndown.addRule('rows', { filter: isIn(GROUPS), replacement: () => '' });
  turndown.addRule('table', {
    filter: isIn(new Set(['TABLE'])),
    replacement: (caption, node: Node) => {
      const grid = gridOf(rowsOf(node) ?? [], (cell) => texts.get(cell) ?? '');
      const columns = columnsOf(grid);
      const lines = grid.map((row) => `|${Array.from({ length: columns }, (_, at) => ` ${row[at] ?? ''} |`).join('')}`);
      return `\n\n${caption.trim()}\n\n${[lines[0], `|${' --- |'.repeat(columns)}`, ...lines.slice(1)].join('\n')}\n\n`;
    },
  });
}

/**
 * Returns the texts of rows, column by column. Short texts are repeated across the span of their cell, within the limit of
 * `REPEATED`.
 */
function gridOf(rows: readonly Node[], textOf: (cell: Node) => string): string[][] {
  const grid: string[][] = rows.map(() => []);
  const lengths = rows.flatMap((row) => cellsOf(row).map((cell) => textOf(cell).length));
  let left = REPEATED * lengths.reduce((sum, length) => sum + length + 1, 0);
  for (const [at, row] of rows.entries()) {
    const cells = cellsOf(row);
    let column = 0;
    for (const cell of cells) {
      while (grid[at]?.[column] !== undefined) column += 1;
      const width = spanOf(cell, 'colspan', MAX_COLUMNS - column);
      const height = spanOf(cell, 'rowspan', rows.length - at);
      const text = textOf(cell);
      const isRepeated = text.length <= MAX_REPEATED && cells.length > 1;
      for (let below = 0; below < height && left > 0; below += 1) {
        for (let beside = 0; beside < width; beside += 1) {
          const isFirst = below === 0 && beside === 0;
          if (!isFirst) left -= text.length + 1;
          (grid[at + below] ?? [])[column + beside] = isFirst || (isRepeated && left > 0) ? text : '';
        }
      }
      if (left <= 0) (grid[at] ?? [])[column] = text;
      column += width;
    }
  }
  return grid;
}

function spanOf(cell: Node, name: string, most: number): number {
  const span = Number.parseInt(cell.getAttribute?.(name) ?? '1', 10);
  // A span of zero means all remaining rows.
  return Math.max(1, Math.min(most, span === 0 ? most : span || 1));
}

const columnsOf = (grid: readonly (readonly string[])[]): number =>
  grid.reduce((most, row) => Math.max(most, row.length), 0);

const inOneLine = (text: string): string =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim().replace(/^- +/, '• '))
    .filter((line) => line !== '')
    .join(' ');

/** Returns the table to which an element belongs, possibly itself; null when it belongs to none. */
function tableAround(node: Node): Node | null {
  let table: Node | null = node;
  if (CELLS.has(table.nodeName) || ABOUT.has(table.nodeName)) table = table.parentNode;
  if (table?.nodeName === 'TR') table = table.parentNode;
  if (table && GROUPS.has(table.nodeName)) table = table.parentNode;
  return table?.nodeName === 'TABLE' ? table : null;
}

/** Returns the rows of a table that Markdown can represent; null when it can't. */
function plainRows(table: Node): Node[] | null {
  const rows = childrenOf(table)
    .filter(({ nodeName }) => !ABOUT.has(nodeName))
    .flatMap((child) => (GROUPS.has(child.nodeName) ? childrenOf(child) : [child]));
  const columns = rows.reduce((most, row) => Math.max(most, cellsOf(row).length), 0);
  const isPlain = rows.every((row) => row.nodeName === 'TR' && cellsOf(row).every(isPlainCell));
  return isPlain && rows.length > 1 && columns > 1 && columns <= MAX_COLUMNS ? rows : null;
}

const isPlainCell = (node: Node): boolean =>
  childrenOf(node).every((child) => !TOO_MUCH.has(child.nodeName) && isPlainCell(child));

const cellsOf = (row: Node): Node[] => childrenOf(row).filter(({ nodeName }) => CELLS.has(nodeName));

const childrenOf = (node: Node): Node[] =>
  Array.from(node.childNodes).filter(({ nodeName }) => !nodeName.startsWith('#'));

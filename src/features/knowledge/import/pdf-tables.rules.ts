import type { PdfLine } from './pdf-lines.rules.js';

const MOST_COLUMNS = 50;
/** Longer cells are columns of a page, not of a table. */
const LONGEST_CELL = 60;

/** Returns the rows of cells of consecutive lines that are aligned in columns; null when the lines are not a table. */
export function tableRows(lines: readonly PdfLine[]): string[][] | null {
  const length = lines.findIndex((line, index) => !follows(lines[index - 1], line));
  const rows = lines.slice(0, length < 0 ? undefined : length);
  const most = rows.reduce((sum, { cells }) => Math.max(sum, cells.length), 0);
  if (rows.length < (most > 2 ? 2 : 3) || most > MOST_COLUMNS) return null;
  const cells = rows.flatMap((row) => row.cells);
  if (cells.reduce((sum, { text }) => sum + text.length, 0) > cells.length * LONGEST_CELL) return null;
  const columns = columnsOf(cells);
  if (columns.length < most) return null;
  return rows.map((row) => columns.map(({ from, to }) => textIn(row, from, to)));
}

const follows = (before: PdfLine | undefined, line: PdfLine): boolean =>
  !before || (before.base - line.base > 0 && before.base - line.base < line.size * 4);

/** Returns the columns of cells: overlapping cells are in the same column. */
function columnsOf(cells: readonly { left: number; right: number }[]): { from: number; to: number }[] {
  const columns: { from: number; to: number }[] = [];
  for (const { left, right } of [...cells].sort((one, other) => one.left - other.left)) {
    const column = columns.at(-1);
    if (column && left < column.to) column.to = Math.max(column.to, right);
    else columns.push({ from: left, to: right });
  }
  return columns;
}

const textIn = ({ cells }: PdfLine, from: number, to: number): string =>
  cells
    .filter(({ left }) => left >= from && left < to)
    .map(({ text }) => text)
    .join(' ');

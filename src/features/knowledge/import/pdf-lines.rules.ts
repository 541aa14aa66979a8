import { lowered, raised } from './raised.rules.js';

/** A text that is alone in its line, or separated from the next by more than spaces. */
interface PdfCell {
  text: string;
  /** Points from the left edge of the page. */
  left: number;
  right: number;
}

export interface PdfLine {
  text: string;
  /** The texts between wide gaps: the cells of a table. */
  cells: PdfCell[];
  /** Size of most of its letters, in points. */
  size: number;
  /** The font of all of its letters; null when they have several. */
  font: string | null;
  /** True when all of its letters are bold. */
  bold: boolean;
  /** Points from the left and the bottom edge of the page. */
  left: number;
  right: number;
  base: number;
}

/** A text on a page, as the library returns it. */
interface Item {
  str: string;
  transform: number[];
  width: number;
  hasEOL: boolean;
  fontName: string;
}

interface TextRun {
  text: string;
  size: number;
  font: string;
  left: number;
  right: number;
  base: number;
  ends: boolean;
}

/** Minimum gap between two cells, relative to the size of a letter. */
const WIDE = 0.7;
/** Lines closer than this, relative to the size of a letter, are one line: some characters are raised or lowered. */
const SAME_LINE = 0.45;
/** The size of superscript and subscript numbers, relative to the line, and their minimum distance from it. */
const SMALLER = 0.85;
const MOVED = 0.15;
// The marker of a list item and its text are not cells.
const MARKER = /^(?:[•‣▪▫◦●○■□◆➢✓\uf0a7\uf0b7\uf0d8·*o–-]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)])$/i;

/** Returns the lines of a page in reading order, without rotated ones. */
export function linesOf(items: readonly object[], bold: ReadonlySet<string>): PdfLine[] {
  const texts = items.filter(isItem);
  const across = texts.filter(isAcross);
  const kept = across.length * 2 > texts.length ? texts : texts.filter((item) => !isAcross(item));
  const lines: TextRun[][] = [];
  let ended = true;
  for (const run of kept.map(toTextRun)) {
    const line = lines.at(-1);
    if (line && (!ended || continuesLine(line.at(-1), run))) line.push(run);
    else lines.push([run]);
    ended = run.ends;
  }
  return lines.map((line) => lineOf(line, bold)).filter(({ text }) => text !== '');
}

const isItem = (item: object): item is Item => 'str' in item && typeof item.str === 'string';

const isAcross = ({ transform: [a = 0, b = 0] }: Item): boolean => Math.abs(b) > Math.abs(a);

function toTextRun({ str, transform, width, hasEOL, fontName }: Item): TextRun {
  const [, , c = 0, d = 0, left = 0, base = 0] = transform;
  const text = str.replace(/(?![\t\n])\p{Cc}/gu, ' ');
  return { text, size: Math.hypot(c, d), font: fontName, left, right: left + width, base, ends: hasEOL };
}

// An empty text only ends a line.
function continuesLine(before: TextRun | undefined, { text, left, base, size }: TextRun): boolean {
  if (!before || text === '') return false;
  const gap = left - before.right;
  const isNear = gap > -size * 0.2 && gap < size * WIDE;
  return isNear && base !== before.base && Math.abs(base - before.base) < SAME_LINE * Math.max(size, before.size);
}

function lineOf(runs: readonly TextRun[], bold: ReadonlySet<string>): PdfLine {
  const parts = withMovedNumbers(runs);
  const visible = parts.filter(({ text }) => text.trim() !== '');
  const cells: PdfCell[] = [];
  let text = '';
  for (const part of parts) {
    const cell = cells.at(-1);
    const isBlank = part.text.trim() === '';
    if (isBlank && part.text !== '' && cell && !/\s$/.test(cell.text)) cell.text += ' ';
    if (!isBlank) {
      if (cell && !(part.left - cell.right > WIDE * part.size && !MARKER.test(cell.text.trim()))) {
        Object.assign(cell, { text: cell.text + part.text, right: Math.max(cell.right, part.right) });
      } else cells.push({ text: part.text, left: part.left, right: part.right });
    }
    text += isBlank && part.text !== '' ? ' ' : part.text;
  }
  const sizes = weighed(visible, ({ size }) => size);
  const fonts = new Set(visible.map(({ font }) => font));
  const [first] = visible;
  return {
    text: tidy(text),
    cells: cells.map((cell) => ({ ...cell, text: tidy(cell.text) })),
    size: sizes,
    font: fonts.size === 1 ? (first?.font ?? null) : null,
    bold: visible.every(({ font }) => bold.has(font)),
    left: visible.reduce((least, { left }) => Math.min(least, left), Infinity),
    right: visible.reduce((most, { right }) => Math.max(most, right), -Infinity),
    base: visible.find(({ size }) => size === sizes)?.base ?? 0,
  };
}

/** Smaller numbers above or below the line belong to notes, powers and formulas. */
function withMovedNumbers(parts: readonly TextRun[]): readonly TextRun[] {
  const size = weighed(parts, (part) => part.size);
  const base = parts.find((part) => part.size === size && part.text.trim() !== '')?.base ?? 0;
  return parts.map((part) => {
    const moved = part.size < size * SMALLER ? (part.base - base) / size : 0;
    const { text } = part;
    return { ...part, text: moved > MOVED ? raised(text) : moved < -MOVED / 2 ? lowered(text) : text };
  });
}

const tidy = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Returns the value that most of the letters have; 0 when there are none. */
export function weighed<T extends { text: string }>(texts: readonly T[], valueOf: (text: T) => number): number {
  const lengths = new Map<number, number>();
  for (const text of texts) lengths.set(valueOf(text), (lengths.get(valueOf(text)) ?? 0) + text.text.length);
  return [...lengths].reduce((most, next) => (next[1] > most[1] ? next : most), [0, 0])[0];
}

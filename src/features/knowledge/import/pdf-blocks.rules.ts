import { fenced, tableOf } from './markdown-output.rules.js';
import { type Headings, LEADER, isTableOfContents, levelOf } from './pdf-headings.rules.js';
import { type PdfLine, weighed } from './pdf-lines.rules.js';
import { tableRows } from './pdf-tables.rules.js';

export interface Typography extends Headings {
  /** Fonts with letters of equal width. */
  monospaced: ReadonlySet<string>;
  /** The level of its highest headings in Markdown. */
  top: number;
}

interface Page {
  lines: readonly PdfLine[];
  typography: Typography;
  /** Usual distance between two lines, relative to their size. */
  pitch: number;
  isContents: boolean;
}

interface ListItem {
  left: number;
  indent: string;
}

/** Factor by which the distance between paragraphs exceeds the usual one between lines. */
const GAP = 1.3;
const USUAL_PITCH = 1.25;
/** Longer texts are paragraphs, not headings. */
const MAX_HEADING = 200;
const MOST_LINES = 4;
/** Longer tables are split. */
const MOST_ROWS = 100;
const DEEPEST_LIST = 6;
const BULLET = /^[•‣▪▫◦●○■□◆➢✓\uf0a7\uf0b7\uf0d8·]\s*/;
const NUMBER = /^\(?(?:\d{1,3}|[a-z])[.)]\s/;

/** Returns the lines of a page as Markdown: headings, paragraphs, lists, tables and code. */
export function pageMarkdown(lines: readonly PdfLine[], typography: Typography): string {
  const page: Page = { lines, typography, pitch: pitchOf(lines), isContents: isTableOfContents(lines) };
  const written: string[] = [];
  let list: ListItem[] = [];
  let before: PdfLine | null = null;
  for (let at = 0; at < lines.length;) {
    const line = lines[at];
    const block = codeAt(page, at) ?? tableAt(page, at) ?? headingAt(page, at);
    if (block) {
      written.push('', ...block.written, '');
      at += block.length;
    } else if (line) {
      const item = listItem(line, list);
      const isNew = !before || startsParagraph(before, line, page.pitch);
      const isBelow =
        list.length > 0 && line.left > (list.at(-1)?.left ?? 0) + 2 && !!before && before.base > line.base;
      const ends = !item && !isBelow && (isNew || (list.length > 0 && hasEnded(before)));
      if (ends) list = [];
      if (ends || (isNew && !item) || (item && list.length === 0)) written.push('');
      if (item) list = item;
      written.push(textOf(line, list, item !== null));
      at += 1;
    }
    before = block ? null : (line ?? null);
    if (block) list = [];
  }
  return written
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** Returns the usual distance between two lines, relative to their size. */
function pitchOf(lines: readonly PdfLine[]): number {
  const pitches = lines.slice(1).flatMap((line, index) => {
    const pitch = ((lines[index]?.base ?? 0) - line.base) / line.size;
    return pitch > 0.8 && pitch < 2.5 ? [{ text: line.text, pitch: Math.round(pitch * 20) / 20 }] : [];
  });
  return weighed(pitches, ({ pitch }) => pitch) || USUAL_PITCH;
}

function startsParagraph(before: PdfLine, line: PdfLine, pitch: number): boolean {
  if (Math.abs(line.size - before.size) > before.size * 0.08) return true;
  const gap = (before.base - line.base) / line.size;
  // A text continues at the top of the next column.
  if (gap < -0.3) return hasEnded(before) || line.left < before.left;
  if (gap > pitch * GAP) return true;
  return hasEnded(before) && line.left > before.left + line.size * 0.8 && !BULLET.test(before.text);
}

const hasEnded = (line: PdfLine | null): boolean => !line || /[.!?:;"”»)]$/.test(line.text);

/** Returns the list with one more item; null when the line does not start an item. */
function listItem(line: PdfLine, list: readonly ListItem[]): ListItem[] | null {
  const parents = list.filter(({ left }) => left < line.left - 2);
  const isHollow = list.length > 0 && /^o\s/.test(line.text) && parents.length > 0;
  if (!BULLET.test(line.text) && !isHollow && !NUMBER.test(line.text)) return null;
  const marks = NUMBER.exec(line.text)?.[0].length ?? 2;
  const indent = parents.at(DEEPEST_LIST - 2)?.indent ?? parents.at(-1)?.indent ?? '';
  return [...parents.slice(0, DEEPEST_LIST - 1), { left: line.left, indent: indent + ' '.repeat(Math.min(4, marks)) }];
}

function textOf({ text }: PdfLine, list: readonly ListItem[], isItem: boolean): string {
  const plain = plainLine(text);
  if (!isItem) return (list.at(-1)?.indent ?? '') + plain;
  const marked = NUMBER.test(plain) ? plain : `- ${plain.replace(BULLET, '').replace(/^o\s/, '')}`;
  return (list.at(-2)?.indent ?? '') + marked;
}

const plainLine = (text: string): string => text.replace(LEADER, ' … ').trim().replace(/^#/, '\\#');

interface Block {
  written: string[];
  /** Number of lines of the page that it covers. */
  length: number;
}

/** A heading may span a few lines; more lines of such letters are a paragraph. */
function headingAt({ lines, typography, pitch, isContents }: Page, start: number): Block | null {
  const [first] = lines.slice(start, start + 1);
  const level = first ? levelOf(first, typography, isContents) : null;
  if (level === null) return null;
  let end = start + 1;
  for (; end < lines.length; end += 1) {
    const [before, line] = lines.slice(end - 1, end + 1);
    if (!before || !line || startsParagraph(before, line, pitch) || levelOf(line, typography, isContents) !== level)
      break;
    if (line.bold !== before.bold || line.font !== before.font) break;
  }
  const title = lines
    .slice(start, end)
    .map(({ text }) => text)
    .join(' ')
    .replace(LEADER, ' … ');
  const isLong = end - start > MOST_LINES || title.length > MAX_HEADING || (title.length > 80 && /[.!]$/.test(title));
  const written = isLong
    ? lines.slice(start, end).map(({ text }) => plainLine(text))
    : [`${'#'.repeat(Math.min(6, typography.top + level - 1))} ${title}`];
  return { written, length: end - start };
}

function codeAt({ lines, typography }: Page, start: number): Block | null {
  const isCode = (line: PdfLine | undefined) => line?.font != null && typography.monospaced.has(line.font);
  if (typography.font === null || typography.monospaced.has(typography.font)) return null;
  let end = start;
  while (isCode(lines[end])) end += 1;
  const code = lines.slice(start, end);
  if (code.length < 2) return null;
  const margin = code.reduce((least, { left }) => Math.min(least, left), Infinity);
  const indented = code.map(({ text, left, right }) => {
    const width = Math.max(1, (right - left) / Math.max(1, text.length));
    return ' '.repeat(Math.min(80, Math.round((left - margin) / width))) + text;
  });
  return { written: fenced(indented), length: code.length };
}

function tableAt({ lines, typography, isContents }: Page, start: number): Block | null {
  if (isContents) return null;
  let end = start;
  const isRow = (line: PdfLine | undefined) =>
    line !== undefined && line.cells.length > 1 && levelOf(line, typography, false) === null;
  while (end - start < MOST_ROWS && isRow(lines[end])) end += 1;
  const rows = tableRows(lines.slice(start, end));
  return rows && { written: tableOf(rows), length: rows.length };
}

import { type PdfLine, weighed } from './pdf-lines.rules.js';

const MAX_HEADING = 200;
const DEEPEST = 3;
/** A line with more cells is part of a table. */
const MOST_CELLS = 2;
const MANY_PAGES = 5;
/** Minimum size of a heading, relative to most of the text. */
const LARGER = 1.14;
/** Number of dotted lines that make a page a table of contents. */
const CONTENTS = 3;
const NUMBERED = /^(?:\d{1,2}(?:\.\d{1,2}){0,4}|[A-Z](?:\.\d{1,2}){1,4}|[IVX]{1,5}\.)\.?\s+\p{Lu}/u;
const ROMAN = /^[IVX]{1,5}\.\s+\p{Lu}[\p{Lu} &,:-]{3,}$/u;
// A caption is not a heading of the text after it.
const CAPTION = /^(?:fig(?:ure|\.)|table|tab\.|abb(?:ildung|\.)|tabelle|tableau|figura|tabla)\s*\d/iu;
const BULLET = /^[^\p{L}\p{N}"'“„«([¿¡§]/u;
/** Leader dots between a title and its page number. */
export const LEADER = /(?:\s?[.·…]){4,}\s?/g;

export interface Headings {
  /** Size of most of the letters, in points. */
  usual: number;
  /** The font of most of the letters. */
  font: string | null;
  /** True when most of the letters are bold. */
  bold: boolean;
  sizes: number[];
}

/** Detects the look of the headings in a document: larger than most of its letters, bold, or numbered and in another font. */
export function headingsIn(pages: readonly (readonly PdfLine[])[]): Headings {
  const lines = pages.flat();
  const usual = weighed(lines, sizeOf);
  const font = usualFont(lines);
  const bold = weighed(lines, ({ bold }) => Number(bold)) === 1;
  const pagesOf = new Map<number, number>();
  for (const page of pages) {
    const isContents = isTableOfContents(page);
    const sizes = page.filter((line) => looksLikeHeading(line, { usual, font, bold }, isContents)).map(sizeOf);
    for (const size of new Set(sizes)) pagesOf.set(size, (pagesOf.get(size) ?? 0) + 1);
  }
  // A size that occurs on only one of many pages, such as a cover, is not a heading level.
  const least = pages.length > MANY_PAGES ? 2 : 1;
  const common = [...pagesOf].flatMap(([size, count]) => (count < least ? [] : [size]));
  const found = common.length > 0 ? common : [...pagesOf.keys()];
  return { usual, font, bold, sizes: found.sort((one, other) => other - one).slice(0, DEEPEST) };
}

function usualFont(lines: readonly PdfLine[]): string | null {
  const fonts = new Map<string, number>();
  for (const { font, text } of lines) if (font !== null) fonts.set(font, (fonts.get(font) ?? 0) + text.length);
  return [...fonts].reduce<[string | null, number]>((most, next) => (next[1] > most[1] ? next : most), [null, 0])[0];
}

/** Returns whether a page is a table of contents: it has several lines with leader dots. */
export const isTableOfContents = (page: readonly PdfLine[]): boolean =>
  page.filter(({ text }) => text.search(LEADER) > 0).length >= CONTENTS;

/** Returns the level of a heading, 1 = the highest; null when the line is not a heading. */
export function levelOf(line: PdfLine, headings: Headings, isContents: boolean): number | null {
  if (!looksLikeHeading(line, headings, isContents)) return null;
  const larger = headings.sizes.filter((size) => size > sizeOf(line)).length;
  const number = /^(?:\d+|[A-Z])(?:\.\d+)*(?=\.?\s)/.exec(line.text)?.[0] ?? '';
  const deeper = line.size < headings.usual * LARGER ? number.split('.').length - 1 : 0;
  return Math.min(DEEPEST, larger + 1 + deeper);
}

type Usual = Pick<Headings, 'usual' | 'font' | 'bold'>;

function looksLikeHeading(line: PdfLine, { usual, font, bold }: Usual, isContents: boolean): boolean {
  const { text, size } = line;
  if (text.length > MAX_HEADING || (text.match(/\p{L}/gu) ?? []).length < 2) return false;
  if (BULLET.test(text) || (isContents && /\d$/.test(text)) || line.cells.length > MOST_CELLS) return false;
  if (size >= usual * LARGER) return !/^\d{1,3}[.)]\s+\p{Ll}/u.test(text);
  if (size < usual * 0.98 || text.length > MAX_HEADING / 2 || CAPTION.test(text)) return false;
  if (ROMAN.test(text)) return true;
  // The number of a heading may be a separate cell.
  const cells = line.cells.filter((cell, index) => index > 0 || !/^[\d.]+$|^[A-Z]\.?$/.test(cell.text));
  if (/[.,;:]$|\s\d+$/.test(text) || cells.length > 1) return false;
  return (line.bold && !bold) || (line.font !== null && line.font !== font && NUMBERED.test(text));
}

// Rounds sizes, because programs write them with tiny differences.
const sizeOf = ({ size }: PdfLine): number => Math.round(size * 2) / 2;

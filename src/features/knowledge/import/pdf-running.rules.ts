import type { PdfLine } from './pdf-lines.rules.js';

/** The parts of a page that are used here. */
export interface PdfPage {
  lines: readonly PdfLine[];
  /** In points. */
  height: number;
}

/** The share of a page's height, at the top and the bottom, that holds running titles and page numbers. */
const EDGE = 0.12;
/** Lines at each end that are inspected. */
const MOST_AT_EDGE = 4;

/**
 * Removes lines that are at the same place on several pages: page numbers entirely, and other lines after their first occurrence.
 * Lines larger than `usual` are kept.
 * @param usual size of most of the letters, in points
 */
export function withoutRunningLines(pages: readonly PdfPage[], usual: number): PdfLine[][] {
  const isCandidate = ({ size }: PdfLine) => size < usual * 1.15;
  const times = new Map<string, number>();
  const edges = pages.map((page) => new Set(atEdges(page).filter(isCandidate)));
  for (const edge of edges) {
    for (const key of new Set([...edge].map(keyOf))) times.set(key, (times.get(key) ?? 0) + 1);
  }
  const least = pages.length < 5 ? 2 : 3;
  const seen = new Set<string>();
  return pages.map(({ lines }, index) =>
    lines.filter((line) => {
      const key = keyOf(line);
      if (edges[index]?.has(line) !== true || (times.get(key) ?? 0) < least) return true;
      const isFirst = !seen.has(key) && !/^\P{L}*$|^\P{L}*page\P{L}*(?:of\P{L}*)?$/iu.test(line.text);
      seen.add(key);
      return isFirst;
    }),
  );
}

function atEdges({ lines, height }: PdfPage): PdfLine[] {
  const above = lines.filter(({ base }) => base > height * (1 - EDGE)).sort((one, other) => other.base - one.base);
  const below = lines.filter(({ base }) => base < height * EDGE).sort((one, other) => one.base - other.base);
  return [...above.slice(0, MOST_AT_EDGE), ...below.slice(0, MOST_AT_EDGE)];
}

/** The key that is equal on all pages: the text without numbers, and its rounded height. */
const keyOf = ({ text, base }: PdfLine): string =>
  `${Math.round(base / 4)} ${/\p{L}/u.test(text) ? text.replace(/\d+/g, '#') : '#'}`;

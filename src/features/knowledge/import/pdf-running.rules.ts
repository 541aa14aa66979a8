import type { PdfLine } from './pdf-lines.rules.js';

/** A page, as far as it matters here. */
export interface PdfPage {
  lines: readonly PdfLine[];
  /** In points. */
  height: number;
}

/** The part of a page's height, at both ends, in which titles and numbers of pages stand. */
const EDGE = 0.12;
/** Lines at each end that are looked at. */
const MOST_AT_EDGE = 4;

/**
 * Leaves out what stands at the same place of several pages: numbers of pages wholly, and other lines after their first
 * time. Letters larger than `usual` are no such lines.
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

/** What is the same on each page: the text without numbers, and its height to some points. */
const keyOf = ({ text, base }: PdfLine): string =>
  `${Math.round(base / 4)} ${/\p{L}/u.test(text) ? text.replace(/\d+/g, '#') : '#'}`;

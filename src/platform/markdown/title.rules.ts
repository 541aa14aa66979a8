import type { BlockKind, Heading } from './block.js';
import { blocksOf } from './blocks.rules.js';
import { inlineText } from './inline-text.rules.js';

/** Only the beginning of a document is searched for the title. */
const BEGINNING_CHARACTERS = 32_000;
const MAX_HTML_HEADING = 2_000;
const MOST_HTML_LINES = 100;
const DEEPEST = 2;

const OPENING = /<h[12](?:\s[^<>]*)?>/i;
const PICTURE = /<img\s[^<>]*?\balt\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)')/i;

/** Returns the first heading of level 1 or 2 near the beginning, including HTML headings; null when there is none. */
export const firstHeading = (document: string): string | null => openingHeadings(document)[0] ?? null;

/**
 * Returns the first heading of level 1 or 2 near the beginning, if any; and the next one if the first is HTML and directly
 * followed by it: the first may be a banner on all pages of a manual.
 */
export function openingHeadings(document: string): string[] {
  const markdown = document.slice(0, BEGINNING_CHARACTERS);
  const { lines, blocks } = blocksOf(markdown);
  for (const [index, { kind, from, to, heading }] of blocks.entries()) {
    const written = writtenTitle(heading);
    if (written !== '') return [written];
    const title = isHtml(kind) && OPENING.test(linesOf(lines, from, to)) ? htmlHeading(lines, from) : null;
    if (title === null) continue;
    const below = writtenTitle(blocks[index + 1]?.heading ?? null);
    return below === '' ? [title] : [title, below];
  }
  return [];
}

const writtenTitle = (heading: Heading | null): string =>
  heading && heading.level <= DEEPEST ? withoutBadges(heading.title) : '';

// Pictures whose addresses are beyond the part that was read.
const BADGE = /\[?!\[[^[\]]*\](?:\[[^[\]]*\])?(?:\](?:\[[^[\]]*\])?)?/g;
const EDGES = /^[\s·|–—-]+|[\s·|–—-]+$/g;
const withoutBadges = (title: string): string => title.replace(BADGE, ' ').replace(/\s+/g, ' ').replace(EDGES, '');

const isHtml = (kind: BlockKind): boolean => kind === 'html' || kind === 'summary' || kind === 'end';

/** Returns the text of the first HTML heading after a line, or else the description of its picture. */
function htmlHeading(lines: readonly string[], from: number): string | null {
  // A blank line ends an HTML block, but not the heading in it.
  const html = linesOf(lines, from, from + MOST_HTML_LINES);
  const start = OPENING.exec(html);
  if (!start) return null;
  const written = html.slice(start.index + start[0].length);
  const end = written.search(/<\/h[12]/i);
  if (end < 0) return null;
  const inside = written.slice(0, end);
  const [, double, single] = PICTURE.exec(inside) ?? [];
  return (
    inlineText(inside.replace(/<[^<>]*>/g, ' ')) || inlineText(double ?? single ?? '').replace(/ logo$/i, '') || null
  );
}

const linesOf = (lines: readonly string[], from: number, to: number): string =>
  lines
    .slice(from, Math.min(to, from + MOST_HTML_LINES))
    .join('\n')
    .slice(0, MAX_HTML_HEADING);

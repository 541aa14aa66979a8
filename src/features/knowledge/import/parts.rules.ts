import { blocksOf } from '../../../platform/markdown/blocks.rules.js';
import { MAX_CONTENT, MAX_TITLE } from '../documents/document.rules.js';
import type { ImportedDocument } from './plain-file.rules.js';

/** Beyond this number, parts are joined as far as they fit. */
const MOST_PARTS = 200;
const DEEPEST = 6;

interface Limits {
  characters: number;
  parts: number;
}

interface HeadingPlace {
  level: number;
  title: string;
  /** Offset of its line. */
  at: number;
}

/**
 * Splits a document that is too long, one part per chapter; chapters that are too long are split at their headings, or else
 * between paragraphs. A part is titled by the document and its first heading.
 */
export function partsOf(
  document: ImportedDocument,
  limits: Limits = { characters: MAX_CONTENT, parts: MOST_PARTS },
): ImportedDocument[] {
  const { title, content } = document;
  if (content.length <= limits.characters) return [document];
  const headings = headingsIn(content);
  const first = [1, 2, 3, 4, 5, 6].find((level) => headings.filter((heading) => heading.level === level).length > 1);
  const cuts = cutsOf({ start: 0, end: content.length }, first ?? DEEPEST + 1, headings, content, limits);
  const starts = cuts.length > limits.parts ? packed(cuts, content.length, limits) : cuts;
  return starts.flatMap((start, index) => {
    const end = starts[index + 1] ?? content.length;
    const part = content.slice(start, end).trim();
    if (part === '') return [];
    const heading = headings.find(({ at }) => at >= start && at < end)?.title ?? `part ${index + 1}`;
    return [{ ...document, title: `${title}: ${heading}`.slice(0, MAX_TITLE).toWellFormed(), content: part }];
  });
}

function headingsIn(content: string): HeadingPlace[] {
  const { lines, blocks } = blocksOf(content);
  const starts: number[] = [];
  let at = 0;
  for (const line of lines) {
    starts.push(at);
    at += line.length + 1;
  }
  return blocks.flatMap(({ kind, heading, from }) =>
    heading && kind === 'heading' ? [{ ...heading, at: starts[from] ?? 0 }] : [],
  );
}

/** Returns the offsets at which the parts of a range start. */
function cutsOf(
  { start, end }: { start: number; end: number },
  level: number,
  headings: readonly HeadingPlace[],
  content: string,
  limits: Limits,
): number[] {
  if (level > DEEPEST) return paragraphCuts(start, end, content, limits);
  const within = headings.filter((heading) => heading.at > start && heading.at < end);
  const starts = [start, ...within.filter((heading) => heading.level <= level).map(({ at }) => at)];
  return starts.flatMap((from, index) => {
    const to = starts[index + 1] ?? end;
    if (to - from <= limits.characters) return [from];
    return cutsOf({ start: from, end: to }, level + 1, within, content, limits);
  });
}

function paragraphCuts(start: number, end: number, content: string, { characters }: Limits): number[] {
  const cuts = [start];
  for (let from = start; end - from > characters;) {
    const window = content.slice(from, from + characters);
    const paragraph = window.lastIndexOf('\n\n');
    const line = paragraph > 0 ? paragraph : window.lastIndexOf('\n');
    const high = /[\ud800-\udbff]$/.test(window) ? 1 : 0;
    from += line > 0 ? line + 1 : window.length - high;
    cuts.push(from);
  }
  return cuts;
}

/** Removes starts, so that the parts are as long as allowed. */
function packed(starts: readonly number[], end: number, { characters }: Limits): number[] {
  const kept: number[] = [];
  starts.forEach((start, index) => {
    const open = kept.at(-1);
    if (open === undefined || (starts[index + 1] ?? end) - open > characters) kept.push(start);
  });
  return kept;
}

import type { Block } from '../../../platform/markdown/block.js';

/** Target length of a passage, in characters. */
const AIMED_CHARACTERS = 1_200;
/** Maximum length of a passage, in characters. */
export const MAX_PASSAGE = 1_500;
/** A shorter paragraph before a list, a table or code counts as its introduction. */
const MAX_INTRODUCTION = 800;
const MAX_LEAD = 300;

/** A range of a text, from `start` (inclusive) to `end` (exclusive). */
export interface Cut {
  start: number;
  end: number;
  /** The context that the part continues, such as the head of its table; empty = none. */
  lead: string;
}

/** A part that is not cut again. */
interface Piece extends Cut {
  /** True when the piece before introduces it. */
  isIntroduced: boolean;
}

export interface Lined {
  text: string;
  lines: readonly string[];
  /** Offset of each line. */
  starts: readonly number[];
}

export function linedOf(text: string, lines: readonly string[]): Lined {
  const starts: number[] = [];
  let at = 0;
  for (const line of lines) {
    starts.push(at);
    at += line.length + 1;
  }
  return { text, lines, starts };
}

/**
 * Cuts the text of consecutive blocks. Keeps each block whole if it fits; cuts longer ones at their parts, then at lines, then at
 * sentences.
 */
export function cutsOf(lined: Lined, blocks: readonly Block[]): Cut[] {
  const content = withoutRules(blocks);
  const [first, last] = [content[0], content.at(-1)];
  if (!first || !last) return [];
  const whole = spanOf(lined, first.from, last.to);
  if (whole.end - whole.start <= MAX_PASSAGE) return [{ ...whole, lead: '' }];
  return packed(
    content.flatMap((block, index) => {
      const lead = introductionOf(lined, content[index - 1], block);
      return piecesOf(lined, block, lead).map((piece, at) => ({ ...piece, isIntroduced: at === 0 && lead !== '' }));
    }),
  );
}

/** Returns the blocks without horizontal rules at the beginning and the end. */
function withoutRules(blocks: readonly Block[]): readonly Block[] {
  const start = blocks.findIndex(({ kind }) => kind !== 'rule');
  const end = blocks.findLastIndex(({ kind }) => kind !== 'rule');
  return start < 0 ? [] : blocks.slice(start, end + 1);
}

function introductionOf({ lines }: Lined, before: Block | undefined, { kind }: Block): string {
  if (before?.kind !== 'paragraph' || (kind !== 'list' && kind !== 'code' && kind !== 'table')) return '';
  const text = lines.slice(before.from, before.to).join(' ').trim();
  return text.length <= MAX_INTRODUCTION ? text : '';
}

function piecesOf(lined: Lined, block: Block, introduction: string): Cut[] {
  const span = spanOf(lined, block.from, block.to);
  if (span.end - span.start <= MAX_PASSAGE) return [{ ...span, lead: '' }];
  const lead = (block.kind === 'table' ? (lined.lines[block.from] ?? '').trim() : introduction).slice(0, MAX_LEAD);
  const parts = block.parts();
  const pieces =
    parts.length > 0
      ? parts.flatMap((part) => piecesOf(lined, part, ''))
      : linePieces(lined, block).map((piece) => ({ ...piece, lead: '' }));
  return pieces.map((piece, index) => ({ ...piece, lead: index === 0 ? '' : piece.lead || lead.toWellFormed() }));
}

/** Cuts a block at its lines, and lines that are too long at sentences; keeps the paragraphs of code whole if they fit. */
function linePieces(lined: Lined, { kind, from, to }: Block): Omit<Cut, 'lead'>[] {
  const pieces: Omit<Cut, 'lead'>[] = [];
  const add = (start: number, end: number) => {
    const span = spanOf(lined, start, end);
    if (span.end - span.start <= MAX_PASSAGE) pieces.push(span);
    else if (end - start > 1) for (let line = start; line < end; line += 1) add(line, line + 1);
    else pieces.push(...sentences(lined.text, span));
  };
  for (let start = from; start < to;) {
    let end = start + 1;
    if (!isBlank(lined.lines[start])) {
      if (kind === 'code') while (end < to && !isBlank(lined.lines[end])) end += 1;
      add(start, end);
    }
    start = end;
  }
  return pieces;
}

const isBlank = (line: string | undefined): boolean => line === undefined || !/\S/.test(line);

/** Cuts a long line at the end of a sentence, or else between words, or else anywhere except within a character. */
function sentences(text: string, { start, end }: Omit<Cut, 'lead'>): Omit<Cut, 'lead'>[] {
  const pieces: Omit<Cut, 'lead'>[] = [];
  let at = start;
  while (end - at > AIMED_CHARACTERS) {
    const next = at + cutIn(text.slice(at, at + AIMED_CHARACTERS));
    pieces.push({ start: at, end: next });
    at = next;
  }
  return [...pieces, { start: at, end }];
}

function cutIn(window: string): number {
  const least = AIMED_CHARACTERS / 3;
  for (const boundary of [/[.!?]\s(?=[^.!?]*$)|[。！？](?=[^。！？]*$)/u, /\s(?=\S*$)/]) {
    const match = boundary.exec(window);
    if (match && match.index + match[0].length > least) return match.index + match[0].length;
  }
  return /[\ud800-\udbff]$/.test(window) ? window.length - 1 : window.length;
}

/** Joins consecutive pieces as long as they fit. */
function packed(pieces: readonly Piece[]): Cut[] {
  const cuts: Cut[] = [];
  let [last, endBefore]: [Piece | undefined, number] = [undefined, 0];
  for (const piece of pieces) {
    const open = cuts.at(-1);
    const fits = (start: number, most: number) => piece.end - start <= most;
    if (open && fits(open.start, piece.isIntroduced ? MAX_PASSAGE : AIMED_CHARACTERS)) {
      [endBefore, open.end] = [open.end, piece.end];
    } else if (open && last && piece.isIntroduced && last.start > open.start && fits(last.start, MAX_PASSAGE)) {
      // An introduction moves with the piece that it introduces.
      open.end = endBefore;
      cuts.push({ start: last.start, end: piece.end, lead: last.lead });
    } else cuts.push({ start: piece.start, end: piece.end, lead: piece.lead });
    last = piece;
  }
  const [open, rest] = cuts.slice(-2);
  if (open && rest && rest.end - open.start <= MAX_PASSAGE) cuts.splice(-2, 2, { ...open, end: rest.end });
  return cuts;
}

/** Returns the text of the lines from `from` to the one before `to`. */
export const spanOf = ({ starts, lines }: Lined, from: number, to: number): Omit<Cut, 'lead'> => ({
  start: starts[from] ?? 0,
  end: (starts[to - 1] ?? 0) + (lines[to - 1]?.length ?? 0),
});

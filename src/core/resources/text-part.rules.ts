/** A range of line or character numbers: inclusive, starting from 1. */
export interface PartRange {
  from: number;
  to: number; // Infinity = to the end
}

/** A part of a text, with a description of the whole. */
export interface TextPart {
  text: string;
  note: string;
}

/** Maximum length of a part, so that a model can read it. */
export const MOST_CHARACTERS = 200_000;

/** Parses `40-80`, `40-` or `40`; null when it is malformed, or ends before it starts. */
export function parseRange(written: string): PartRange | null {
  const [, first, dash, last] = /^\s*(\d{1,9})\s*(?:([-–:])\s*(\d{1,9})?)?\s*$/.exec(written) ?? [];
  if (first === undefined) return null;
  const from = Math.max(1, Number(first));
  const to = last === undefined ? (dash === undefined ? from : Infinity) : Number(last);
  return to < from ? null : { from, to };
}

/** Returns a range of lines; null when the text has fewer. */
export function linesOf(text: string, { from, to }: PartRange): TextPart | null {
  const lines = text.split('\n');
  if (from > lines.length) return null;
  const wanted = Math.min(to, lines.length);
  let [end, characters] = [from - 1, 0];
  while (end < wanted && characters + (lines[end]?.length ?? 0) <= MOST_CHARACTERS) {
    characters += (lines[end]?.length ?? 0) + 1;
    end += 1;
  }
  if (end < from) return charactersOf(text, startOf(lines, from - 1));
  const part = lines.slice(from - 1, end).join('\n');
  const next =
    end < lines.length ? ` Read on with lines "${end + 1}-${Math.min(end + (end - from + 1), lines.length)}".` : '';
  return { text: part, note: `Lines ${from} to ${end} of ${lines.length}.${next}` };
}

const startOf = (lines: readonly string[], line: number): PartRange => {
  const from = lines.slice(0, line).reduce((sum, { length }) => sum + length + 1, 1);
  return { from, to: from + MOST_CHARACTERS - 1 };
};

/** Returns a range of characters, cut on code-point boundaries; null when the text has fewer. */
export function charactersOf(text: string, { from, to }: PartRange): TextPart | null {
  if (from > Math.max(1, text.length)) return null;
  const start = isWithinCharacter(text, from - 1) ? from - 2 : from - 1;
  const wanted = Math.min(to, from - 1 + MOST_CHARACTERS, text.length);
  const end = isWithinCharacter(text, wanted) ? wanted + 1 : wanted;
  const next =
    end < text.length ? ` Read on with characters "${end + 1}-${Math.min(2 * end - start, text.length)}".` : '';
  return { text: text.slice(start, end), note: `Characters ${start + 1} to ${end} of ${text.length}.${next}` };
}

const isWithinCharacter = (text: string, at: number): boolean =>
  /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(Math.max(0, at - 1), at + 1));

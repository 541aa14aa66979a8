/** Numbers of lines or characters: both ends are included, and the first has the number 1. */
export interface PartRange {
  from: number;
  to: number; // Infinity = up to the end
}

/** A part of a text, as it stands there, and what it is a part of. */
export interface TextPart {
  text: string;
  note: string;
}

/** No more characters are returned at once: a model must be able to read them. */
export const MOST_CHARACTERS = 200_000;

/** Reads `40-80`, `40-` or `40`; returns null when it is none of them, or ends before it starts. */
export function parseRange(written: string): PartRange | null {
  const [, first, dash, last] = /^\s*(\d{1,9})\s*(?:([-–:])\s*(\d{1,9})?)?\s*$/.exec(written) ?? [];
  if (first === undefined) return null;
  const from = Math.max(1, Number(first));
  const to = last === undefined ? (dash === undefined ? from : Infinity) : Number(last);
  return to < from ? null : { from, to };
}

/** Returns some lines of a text; null when it has fewer. */
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

/** Returns some characters of a text, cut on code-point boundaries; null when it has fewer. */
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

const MAX_MARKER = 100;
const MARKER =
  /^([\t >]*)(?:(?<bullet>[-*+])|(?<number>\d{1,9})(?<after>[.)]))(?<space>[\t ]+)(?<task>\[[ xX]\][\t ]+)?/;
const QUOTE = /^[\t ]*>[\t >]*/;

/** How the line after one of a list or a quote begins. */
export interface Continuation {
  /** What the line has before its text, in characters. */
  marker: number;
  /** What the next line has there. */
  next: string;
}

/** Tells by a line alone how the next continues with its list or quote. Null where it is of neither. */
export function continuationOf(line: string): Continuation | null {
  const beginning = line.slice(0, MAX_MARKER);
  const item = MARKER.exec(beginning);
  if (item === null) {
    const quote = QUOTE.exec(beginning)?.[0];
    return quote === undefined ? null : { marker: quote.length, next: quote };
  }
  const { bullet, number, after, space, task } = item.groups ?? {};
  const marker = bullet ?? `${Number(number) + 1}${after ?? ''}`;
  return { marker: item[0].length, next: `${item[1] ?? ''}${marker}${space ?? ''}${task === undefined ? '' : '[ ] '}` };
}

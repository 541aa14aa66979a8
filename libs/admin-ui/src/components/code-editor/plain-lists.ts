const MAX_MARKER = 100;
const MARKER =
  /^([\t >]*)(?:(?<bullet>[-*+])|(?<number>\d{1,9})(?<after>[.)]))(?<space>[\t ]+)(?<task>\[[ xX]\][\t ]+)?/;
const QUOTE = /^[\t ]*>[\t >]*/;

/** The continuation of a list or a quote on the next line. */
export interface Continuation {
  /** Length of the marker before the text of the line. */
  marker: number;
  /** The marker of the next line. */
  next: string;
}

/** Returns how the next line continues a list or quote, judged by a single line; null = neither. */
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

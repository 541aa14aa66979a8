import { foldedTime } from './time-text.rules.js';

/** A time of day, and the text before and after it. */
export interface FoundClock {
  hour: number;
  minute: number;
  second: number;
  before: string;
  after: string;
}

/** The notations of a time of day, the most distinctive first; the later ones may also be part of a date. */
const CLOCKS: readonly RegExp[] = [
  /(?<![\d.:+-])(\d{1,2}) ?[:hu] ?(\d{2})(?: ?[:m'] ?(\d{2})(?:[.,:]\d+)?)?(?: ?s\b)?(?![\d:])/, // 17:38, 17h38
  /(?<![\d.:])(\d{1,2})(?= ?[ap]m\b)/, // 5 pm
  /(?<![\d.:])(\d{1,2}) ?(?:h|hs|hrs|uhr)\b/, // 17 Uhr
  /(?<=\dt)(\d{2})(?=z?$|[+-])/, // 2024-08-25T17Z
  /(?<![\d.:-])(\d{1,2})\.(\d{2})(?:\.(\d{2})(?:\.\d{3,})?)?(?![\d.]|-)/, // 17.38
];
const FORENOON = ['am', 'a', '上午', '午前', '오전', '凌晨', '早上', '清晨', 'πμ', 'ص', 'ق.ظ'];
const AFTERNOON = ['pm', 'p', '下午', '午後', '오후', '晚上', '傍晚', 'μμ', 'م', 'ب.ظ'];
const MARKS = new Map([
  ...FORENOON.map((mark) => [foldedTime(mark), 0] as const),
  ...AFTERNOON.map((mark) => [foldedTime(mark), 12] as const),
]);
const MARK_AFTER = /^ ?([^\s\d,;+-]+)(?=$|[\s,;+-])/;
const MARK_BEFORE = /([^\s\d,]+) ?$/;

/**
 * Yields the times of day that a text, as returned by `toTimeText`, may contain, likeliest first. Impossible ones, such as 25:10,
 * are included; their hour or minute is out of range.
 */
export function* findClocks(text: string): Generator<FoundClock> {
  for (const clock of CLOCKS) {
    const found = clock.exec(text);
    if (found) yield withHalf(found, text);
  }
}

export const isClock = ({ hour, minute, second }: FoundClock): boolean =>
  minute < 60 && second <= 60 && (hour < 24 || (hour === 24 && minute === 0 && second === 0));

/** Applies the AM or PM mark before or after the time. */
function withHalf(
  { 0: all, 1: hour, 2: minute = '0', 3: second = '0', index }: RegExpExecArray,
  text: string,
): FoundClock {
  const clock = { hour: Number(hour), minute: Number(minute), second: Number(second) };
  const before = text.slice(0, index);
  const after = text.slice(index + all.length);
  const next = MARK_AFTER.exec(after);
  const half = halfOf(next?.[1]);
  if (next && half !== undefined) return { ...inHalf(clock, half), before, after: after.slice(next[0].length) };
  const previous = MARK_BEFORE.exec(before);
  const halfBefore = halfOf(previous?.[1]);
  if (!previous || halfBefore === undefined) return { ...clock, before, after };
  return { ...inHalf(clock, halfBefore), before: before.slice(0, previous.index), after };
}

// π.μ. without its dots
const halfOf = (mark = ''): number | undefined => MARKS.get(mark) ?? MARKS.get(mark.replaceAll('.', ''));

// 17:38 AM occurs: an hour above 12 is taken literally.
function inHalf<T extends { hour: number }>(clock: T, half: number): T {
  return clock.hour > 12 ? clock : { ...clock, hour: (clock.hour % 12) + half };
}

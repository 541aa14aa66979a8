import type { DateOrder } from './date-order.rules.js';
import { foldedTime } from './time-text.rules.js';
import { dictionaries, type Dictionary, type Meaning } from './language.rules.js';

export interface CalendarDate {
  year: number;
  month: number; // 1-12
  day: number;
}

interface NumberToken {
  text: string;
  /** The text between it and the previous number. */
  separator: string;
}

interface Words {
  month: number | undefined;
  weekday: number | undefined;
  /** Number of words that are names in the language, and of those that are neither names nor filler words. */
  known: number;
  unknown: number;
}

/** Filler words, in any of the languages. */
const FILLING = new Set(
  foldedTime(
    'a ab abends al alle am as at b c d da das date de del dela den der di die do du e el em en er era eme et fecha ' +
      'g gada god goda godine h heures hora horas hs hrs i il in ja ka kell kello kl klo ko kor la las le les lo los ' +
      'luc m min na nam nd ngay o ob og om on op ora orario ore orele os pada pm r rd re roka roku rok s saat st ' +
      't th thang the til tu u uhr um v vid w x y yil z г год года ж к об о р року у ч в від на วันที่ ที่ เวลา น พ ศ ' +
      'في الساعة عند م ه ב בשעה ה को पर बजे',
  ).split(' '),
);
/** With more unknown words, the text is not a date. */
const MOST_UNKNOWN = 2;
/** Number of words in the longest name: tháng mười hai. */
const LONGEST_NAME = 3;
const FIRST_BUDDHIST_YEAR = 2400;
const LAST_BUDDHIST_YEAR = 2700;
const BUDDHIST_YEARS_AHEAD = 543;
const DASHED = ['-', '.', ':'];

/**
 * Returns the date in a text, as returned by `toTimeText`, without its time of day; null when there is none. The order decides
 * ambiguous dates, such as 05/08/2024; without it, slashes mean month first, and dots and dashes day first.
 */
export function findDate(text: string, order: DateOrder | undefined): CalendarDate | null {
  const numbers = numbersOf(text);
  if (numbers.length === 0 || numbers.length > 3) return null;
  const words = text.match(/\p{L}+/gu) ?? [];
  let best: { date: CalendarDate; score: number } | null = null;
  for (const { month, weekday, unknown, known } of readings(words)) {
    if (unknown > MOST_UNKNOWN) continue;
    const date = month === undefined ? fromNumbers(numbers, weekday, order) : withMonth(numbers, month, unknown);
    const valid = date && validDate(date);
    // If two languages know the same number of words, the one with the right weekday wins.
    const score = 2 * known + (valid && weekday === weekdayOf(valid) ? 1 : 0);
    if (valid && score > (best?.score ?? -1)) best = { date: valid, score };
  }
  return best?.date ?? null;
}

function numbersOf(text: string): NumberToken[] {
  let end = 0;
  return [...text.matchAll(/\d+/g)].map(({ 0: number, index }) => {
    const separator = text.slice(end, index).trim();
    end = index + number.length;
    return { text: number, separator };
  });
}

/** Yields the readings of the words in each language, or only in English when it knows all of them. */
function* readings(words: readonly string[]): Generator<Words> {
  for (const dictionary of dictionaries()) {
    const reading = readingIn(dictionary, words);
    if (reading) yield reading;
    // Most dates are in English: this avoids building the other dictionaries, which takes a while.
    if (dictionary.isEnglish && reading?.unknown === 0) return;
  }
}

/** Returns the reading of the words in a language; null when they name two months in it. */
function readingIn(dictionary: Dictionary, words: readonly string[]): Words | null {
  const meanings: Meaning[] = [];
  let unknown = 0;
  let known = 0;
  for (let index = 0; index < words.length;) {
    const { meaning, length } = longestName(dictionary, words.slice(index, index + LONGEST_NAME));
    if (meaning) meanings.push(meaning);
    if (meaning) known += length;
    else if (!FILLING.has(words[index] ?? '')) unknown += 1;
    index += length;
  }
  const months = monthsOf(meanings);
  if (months.size > 1) return null;
  const weekday = meanings.find((meaning) => meaning.weekday !== undefined)?.weekday;
  return { month: [...months][0], weekday, unknown, known };
}

function longestName(
  { names }: Dictionary,
  words: readonly string[],
): { meaning: Meaning | undefined; length: number } {
  for (let length = words.length; length > 0; length -= 1) {
    const meaning = names.get(words.slice(0, length).join(' '));
    if (meaning) return { meaning, length };
  }
  return { meaning: undefined, length: 1 };
}

// In `mar., 01 déc.` the first word can be either: it is the weekday when another word is the month.
function monthsOf(meanings: readonly Meaning[]): Set<number> {
  const months = new Set(meanings.flatMap(({ month }) => month ?? []));
  if (months.size < 2) return months;
  return new Set(meanings.flatMap(({ month, weekday }) => (weekday === undefined ? (month ?? []) : [])));
}

/** Builds a date whose month is a word: the year is the number with four digits, or else the last number. */
function withMonth(numbers: readonly NumberToken[], month: number, unknown: number): CalendarDate | null {
  const [first, second, third] = numbers.map(({ text }) => text);
  if (first === undefined || third !== undefined) return null;
  if (second === undefined) return first.length === 4 && unknown === 0 ? { year: Number(first), month, day: 1 } : null;
  const isYearFirst = first.length === 4 || (second.length < 4 && Number(first) > 31);
  const [year, day] = isYearFirst ? [first, second] : [second, first];
  return day.length > 2 || !isYear(year) ? null : { year: fullYear(year), month, day: Number(day) };
}

function fromNumbers(
  numbers: readonly NumberToken[],
  weekday: number | undefined,
  order: DateOrder | undefined,
): CalendarDate | null {
  const [first, second, third] = numbers;
  if (!first || !second || !third) return null;
  const texts = [first.text, second.text, third.text] as const;
  const [a, b, c] = texts.map(Number) as [number, number, number];
  if (texts[1].length > 2 || !isYear(texts[0].length === 4 ? texts[0] : texts[2])) return null;
  if (texts[0].length === 4) return texts[2].length > 2 ? null : { year: a, month: b, day: c };
  if (texts[0].length > 2) return null;
  const separator = second.separator;
  // 24-08-25 may begin with its year or with its day.
  if (texts[2].length < 4 && separator === '-' && c <= 31)
    return a > 31 ? { year: fullYear(texts[0]), month: b, day: c } : null;
  const year = fullYear(texts[2]);
  const dayFirst = { year, month: b, day: a };
  const monthFirst = { year, month: a, day: b };
  const possible = [dayFirst, monthFirst].filter((date) => validDate(date));
  const agreeing = possible.filter((date) => weekday !== undefined && weekdayOf(date) === weekday);
  const usual = separator.startsWith('/') ? 'month-first' : 'day-first';
  const preferred = (DASHED.includes(separator) ? usual : (order ?? usual)) === 'day-first' ? dayFirst : monthFirst;
  if (agreeing.length === 1) return agreeing[0] ?? null;
  return possible.includes(preferred) ? preferred : (possible[0] ?? null);
}

const isYear = (text: string): boolean => text.length === 2 || text.length === 4;

function fullYear(text: string): number {
  const year = Number(text);
  return text.length > 2 ? year : year + (year < 70 ? 2000 : 1900);
}

const weekdayOf = ({ year, month, day }: CalendarDate): number => new Date(Date.UTC(year, month - 1, day)).getUTCDay();

/** Returns the date, converting Buddhist years; null when the calendar has no such day. */
function validDate({ year: given, month, day }: CalendarDate): CalendarDate | null {
  const isBuddhist = given >= FIRST_BUDDHIST_YEAR && given <= LAST_BUDDHIST_YEAR;
  const year = isBuddhist ? given - BUDDHIST_YEARS_AHEAD : given;
  const date = new Date(Date.UTC(year, month - 1, day));
  return year >= 1000 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? { year, month, day } : null;
}

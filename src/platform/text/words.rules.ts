import { storableText } from '#bounded-json';
import { type Language, markOf, stemOf } from './language.rules.js';
import { normalForm } from './normal-form.rules.js';

/** Limits for the tags of one text. */
export const MAX_TAGS = 50;
export const MAX_TAG = 64;

/** A word and its position in the text. */
export interface Word {
  /** In lower case; a pair of characters in scripts without spaces. */
  text: string;
  start: number;
  end: number;
}

// Scripts without spaces between words: indexed as pairs of characters, so that any part of a text can be found.
const DENSE = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc]`;
const RUN = new RegExp(String.raw`(${DENSE}[${DENSE}\p{M}]*)|(?:(?!${DENSE})[\p{L}\p{N}\p{M}])+`, 'gv');
const ACCENT = /[\u0300-\u036f\u064b-\u065f]/g;
const NOT_A_WORD = /[^\p{L}\p{N}\p{M}]/gu;
const CAMEL_PART = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{N}+/gu;
const ONE_CASE = /^(?:[a-z]+|[0-9]+|[A-Z]+)$/;
const LETTER = /\P{M}\p{M}*/gu;
const ASCII_WORD = /^[a-z0-9]+$/i;
const LONGEST = 48;
/** A longer run of characters is not split as an identifier. */
const LONGEST_NAME = 200;
/** Maximum number of characters read of a word, with all its marks. */
const LONGEST_SPELLED = 1_000;

/** Letters that Unicode does not decompose into a letter and a mark. */
const SPELLED: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ı: 'i',
};
const SPELLED_LETTER = /[ßæœøđðłþı]/g;

/** Returns every word of a text; `foo_bar` is two words. */
export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  eachWord(text, (word) => words.push(word));
  return words;
}

/** Calls `visit` with every word in text order, without collecting them. */
export function eachWord(text: string, visit: (word: Word) => void): void {
  eachRun(text, (run, start, dense) => {
    if (dense) {
      const pairs: Word[] = [];
      addPairs(pairs, run, start);
      return pairs.forEach(visit);
    }
    const spelled = spelledWord(run);
    if (spelled !== '') visit({ text: spelled, start, end: start + run.length });
  });
}

/**
 * Returns the index form of a word in a language: its stem, without accents. Pairs of characters, and words with digits, are not
 * stemmed.
 */
export function termOf(word: string, language: Language): string {
  if (isDense(word)) return word;
  if (NO_STEM.test(word)) return unaccented(word);
  const stem = unaccented(stemOf(language === 'en' ? unaccented(word) : word, language));
  return (stem === '' ? unaccented(word) : stem) + markOf(language);
}

const NO_STEM = /\p{N}/u;

/** The words of a row's fields in index form, separated by spaces. */
export interface IndexedFields {
  /** Its words have the highest weight. */
  title: string;
  context: string;
  body: string;
}

/** Returns the words of a text in the form of an index field: separated by spaces. */
export const indexedText = (text: string, language: Language): string => indexedWords(text, language).join(' ');

/**
 * Returns the words of a text to index, in order; then the parts of identifiers such as `toolTimeout`, and words without their
 * accents.
 */
export function indexedWords(text: string, language: Language): string[] {
  const words: string[] = [];
  const parts: string[] = [];
  eachRun(text, (run, _start, dense) => {
    if (dense) {
      const pairs: Word[] = [];
      addPairs(pairs, run, 0);
      for (const pair of pairs) words.push(pair.text);
      return;
    }
    const spelled = spelledWord(run);
    if (spelled === '') return;
    words.push(termOf(spelled, language));
    if (language !== 'en' && !ASCII_WORD.test(spelled)) parts.push(...withoutAccents(spelled, language));
    if (run.length <= LONGEST_NAME && !ONE_CASE.test(run)) parts.push(...partsOf(run, language));
  });
  return [...words, ...parts];
}

/** Returns the stem of a word typed without its accents, if it differs. */
function withoutAccents(word: string, language: Language): string[] {
  const plain = termOf(unaccented(word), language);
  return plain === termOf(word, language) ? [] : [plain];
}

function partsOf(name: string, language: Language): string[] {
  const found = name.match(CAMEL_PART) ?? [];
  if (found.length < 2) return [];
  return found
    .map(spelledWord)
    .filter((part) => part.length > 1)
    .map((part) => termOf(part, language));
}

/** Calls `visit` with each run of letters and digits; `dense` is true when its script has no spaces between words. */
function eachRun(text: string, visit: (run: string, start: number, dense: boolean) => void): void {
  for (let start = 0; start < text.length;) {
    const end = endOfAscii(text, start);
    // Fast path for ASCII, the bulk of most texts: it needs no regular expression.
    if (end > start && !(text.charCodeAt(end) > ASCII)) {
      visit(text.slice(start, end), start, false);
      start = end + 1;
    } else if (text.charCodeAt(end) <= ASCII) start = end + 1;
    else {
      RUN.lastIndex = start;
      const match = RUN.exec(text);
      if (!match) return;
      start = RUN.lastIndex;
      visit(match[0], match.index, match[1] !== undefined);
    }
  }
}

/** Returns the end of the ASCII letters and digits that begin at `start`. */
function endOfAscii(text: string, start: number): number {
  let end = start;
  while (isAsciiWord(text.charCodeAt(end))) end += 1;
  return end;
}

const ASCII = 127;
const isAsciiWord = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);

/** Returns whether the word is a pair, or the single last character, of a run in a script without spaces. */
export const isDense = (word: string): boolean => IS_DENSE.test(word);
const IS_DENSE = new RegExp(`^${DENSE}`, 'v');

// 全文検索 -> 全文 文検 検索 索. The last character is added alone, so that each character starts a word.
function addPairs(words: Word[], run: string, at: number): void {
  const letters = run.match(LETTER) ?? [];
  let start = at + run.indexOf(letters[0] ?? '');
  letters.forEach((letter, position) => {
    const pair = letter + (letters[position + 1] ?? '');
    words.push({ text: normalForm(pair, 'NFKC').toLowerCase(), start, end: start + pair.length });
    start += letter.length;
  });
}

function spelledWord(word: string): string {
  if (ASCII_WORD.test(word)) return word.slice(0, LONGEST).toLowerCase();
  const spelled = normalForm(word.slice(0, LONGEST_SPELLED), 'NFKC').toLowerCase().replace(NOT_A_WORD, '');
  if (unaccented(spelled) === '') return ''; // only accents
  return ASCII_WORD.test(spelled) ? spelled.slice(0, LONGEST) : [...spelled].slice(0, LONGEST).join('');
}

/** Returns the word without accents, and with ASCII letters for those that Unicode does not decompose. */
export function unaccented(word: string): string {
  if (ASCII_WORD.test(word)) return word;
  return normalForm(normalForm(word, 'NFKD').replace(ACCENT, ''), 'NFKC').replace(
    SPELLED_LETTER,
    (letter) => SPELLED[letter] ?? letter,
  );
}

/** Returns the tags in lower case, sorted, without duplicates and empty ones. */
export function normalTags(tags: readonly string[]): string[] {
  return [...new Set(tags.map((tag) => storableText(tag).trim().toLowerCase()).filter((tag) => tag !== ''))].sort();
}

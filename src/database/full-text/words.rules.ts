/** A word of a text as it is indexed, and where it stands in the text. */
export interface Word {
  text: string;
  start: number;
  end: number;
}

// Written without spaces between words: indexed by pairs of characters, so that any part can be found.
const DENSE = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc]`;
const RUN = new RegExp(String.raw`(?<dense>${DENSE}[${DENSE}\p{M}]*)|(?:(?!${DENSE})[\p{L}\p{N}\p{M}])+`, 'gv');
const ACCENT = /[\u0300-\u036f\u064b-\u065f]/g;
const NOT_A_WORD = /[^\p{L}\p{N}\p{M}]/gu;
const CAMEL_PART = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{N}+/gu;
const ASCII_WORD = /^[a-z0-9]+$/i;
const LONGEST = 48;

/** Letters that Unicode does not take apart into a letter and a mark. */
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

/** Every word of a text. Case, accents and the English plural make no difference; `foo_bar` is two words. */
export function wordsOf(text: string): Word[] {
  return [...text.matchAll(RUN)].flatMap((match) => {
    const [run] = match;
    if (match.groups?.['dense'] !== undefined) return pairsOf(run, match.index);
    const folded = foldWord(run);
    return folded === '' ? [] : [{ text: folded, start: match.index, end: match.index + run.length }];
  });
}

/** The words of a text for the index, in order; after them the parts of names such as `toolTimeout`. */
export function indexedWords(text: string): string[] {
  const words = wordsOf(text).map((word) => word.text);
  const parts = [...text.matchAll(RUN)].flatMap(([run]) => {
    const found = run.match(CAMEL_PART) ?? [];
    return found.length > 1 ? found.map(foldWord).filter((part) => part.length > 1) : [];
  });
  return [...words, ...parts];
}

/** Whether the word is one of the pairs or the last character of a run without spaces. */
export const isDense = (word: string): boolean => IS_DENSE.test(word);
const IS_DENSE = new RegExp(`^${DENSE}`, 'v');

// 全文検索 -> 全文 文検 検索 索: the last character alone, so that each character begins a word.
function pairsOf(run: string, at: number): Word[] {
  const words: Word[] = [];
  const letters = [...run.matchAll(/\P{M}\p{M}*/gu)];
  letters.forEach((letter, position) => {
    const next = letters[position + 1];
    const pair = letter[0] + (next?.[0] ?? '');
    const start = at + letter.index;
    words.push({ text: pair.normalize('NFKC').toLowerCase(), start, end: start + pair.length });
  });
  return words;
}

function foldWord(word: string): string {
  if (ASCII_WORD.test(word)) return withoutPlural(word.slice(0, LONGEST).toLowerCase());
  const plain = word
    .normalize('NFKD')
    .replace(ACCENT, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(ACCENT, '')
    .replace(SPELLED_LETTER, (letter) => SPELLED[letter] ?? letter)
    .replace(NOT_A_WORD, '');
  return withoutPlural([...plain].slice(0, LONGEST).join(''));
}

// Harman's S-stemmer: it joins "policy" and "policies" and leaves other languages nearly alone.
function withoutPlural(word: string): string {
  if (!/^[a-z]{4,}$/.test(word)) return word;
  if (/[^ea]ies$/.test(word)) return `${word.slice(0, -3)}y`;
  if (/[^us]s$/.test(word)) return word.slice(0, -1);
  return word;
}

/** PostgreSQL stores neither NUL nor half a character. */
export const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/** Tags in lower case and in order, each once. */
export function normalTags(tags: readonly string[]): string[] {
  return [...new Set(tags.map((tag) => storable(tag).trim().toLowerCase()).filter((tag) => tag !== ''))].sort();
}

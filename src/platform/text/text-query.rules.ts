import { isStopWord } from './common-words.rules.js';
import type { Language } from './language.rules.js';
import { isDense, termOf, type Word, wordsOf } from './words.rules.js';

/** A search query, parsed from free text: there are no operators, and every text is valid. */
export interface TextQuery {
  /** Without duplicates, in text order. */
  words: readonly string[];
  /** The last word if nothing follows it: it may be incomplete. Null = none. */
  last: string | null;
  /** Words that must be adjacent. */
  phrases: readonly (readonly string[])[];
  /** Words written as one, such as `max_connections`: matches rank higher where they are adjacent. */
  compounds: readonly (readonly string[])[];
}

const MOST_TERMS = 24;
const MOST_COMPOUNDS = 6;
/** The words of further phrases are searched individually: phrase searches are slow. */
const MOST_PHRASES = 5;
/** The rest of a longer text is ignored: at most 24 words are searched for. */
const MAX_CHARACTERS = 10_000;
// An opening quote ends the phrase before it, so each character is scanned only once.
const PHRASE = /"([^"]*)"|[“„]([^”“„]*)[”“]/g;

export function parseTextQuery(input: string): TextQuery {
  const phrases: string[][] = [];
  const rest = input
    .slice(0, MAX_CHARACTERS)
    .replace(PHRASE, (_all, straight: string | undefined, curly: string | undefined) => {
      const quoted = straight ?? curly ?? '';
      if (phrases.length === MOST_PHRASES) return `\n${quoted}\n`;
      const phrase = phraseWords(quoted).slice(0, MOST_TERMS);
      if (phrase.length > 0) phrases.push(phrase);
      return '\n';
    });
  const found = withoutLoneEnds(wordsOf(rest));
  const words = [...new Set(meaningful(found, phrases.length > 0))].slice(0, MOST_TERMS);
  const last = /[\p{L}\p{N}\p{M}]$/u.test(rest.slice(-2)) ? found.at(-1) : undefined;
  return {
    words,
    last: last !== undefined && words.includes(last) ? last : null,
    phrases,
    compounds: compoundsIn(rest).slice(0, MOST_COMPOUNDS),
  };
}

export const isEmptyQuery = ({ words, phrases }: TextQuery): boolean => words.length === 0 && phrases.length === 0;

/** Returns a function that tells whether a word of a text in that language matches the query. */
export function matcherOf({ words, last, phrases }: TextQuery, language: Language = 'en'): (word: string) => boolean {
  const wanted = new Set([...words, ...phrases.flat()].map((word) => termOf(word, language)));
  return (word) => wanted.has(termOf(word, language)) || (last !== null && word.startsWith(last));
}

function compoundsIn(text: string): string[][] {
  const found = text.split(WHITE_SPACE).map((written) => wordsOf(written).map((word) => word.text));
  const compounds = found.filter((words) => words.length > 1 && !words.some(isDense));
  return [...new Map(compounds.map((words) => [words.join(' '), words.slice(0, MOST_TERMS)])).values()];
}

const WHITE_SPACE = /\s+/;

function meaningful(words: string[], othersRemain: boolean): string[] {
  const kept = words.filter((word) => !isStopWord(word));
  return kept.length > 0 || othersRemain ? kept : words;
}

/** Returns the words of a phrase. Drops the single last character of a run: in a text, the run may continue after it. */
function phraseWords(text: string): string[] {
  const words = wordsOf(text);
  const [last, before] = [words.at(-1), words.at(-2)];
  const endsRun = last && before && isDense(last.text) && before.end > last.start;
  return words.slice(0, endsRun ? -1 : undefined).map((word) => word.text);
}

/** Drops the single last character of a run of two or more characters, because the pair before it covers it. */
function withoutLoneEnds(words: readonly Word[]): string[] {
  return words
    .filter((word, index) => {
      const before = words[index - 1];
      return !(before && isDense(word.text) && before.end > word.start && before.end === word.end);
    })
    .map((word) => word.text);
}

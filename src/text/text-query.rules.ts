import { isDense, wordsOf } from './words.rules.js';

/** A search query, parsed from free text: there are no operators, and every text is valid. */
export interface TextQuery {
  words: readonly string[];
  /** The last word, when it may be the beginning of a longer one. */
  prefix: string | null;
  /** Words that must follow each other. */
  phrases: readonly (readonly string[])[];
}

const MOST_TERMS = 24;
/** The rest of a longer text is ignored: no more than 24 words and phrases are searched for. */
const MAX_CHARACTERS = 10_000;
const SHORTEST_PREFIX = 2;
// An opening quote ends the phrase before it, so each character is looked at only once.
const PHRASE = /"([^"]*)"|[“„]([^”“„]*)[”“]/g;

/** Left out of a query that has other words: they occur in nearly every text and tell nothing about it. */
const STOP_WORDS = new Set(
  (
    'a about an and any are as at be but by can could did do doe for from had ha have how i if in into is it its me my no not of on ' +
    'or our please should show so such tell that the their then there these they thi this to wa was we what when where which who why will ' +
    'with would you your'
  ).split(' '),
);

export function parseTextQuery(input: string): TextQuery {
  const phrases: string[][] = [];
  const rest = input
    .slice(0, MAX_CHARACTERS)
    .replace(PHRASE, (_all, straight: string | undefined, curly: string | undefined) => {
      const phrase = phraseWords(straight ?? curly ?? '');
      if (phrase.length > 0) phrases.push(phrase);
      return '\n';
    });
  const found = withoutLoneEnds(wordsOf(rest));
  const typed = /[\p{L}\p{N}\p{M}]$/u.test(rest.slice(-2)) ? found.at(-1) : undefined;
  const words = meaningful(found.slice(0, typed === undefined ? undefined : -1), phrases.length > 0 || !!typed);
  const prefix = typed !== undefined && canBePrefix(typed) ? typed : null;
  return {
    words: [...new Set(typed !== undefined && prefix === null ? [...words, typed] : words)].slice(0, MOST_TERMS),
    prefix,
    phrases: phrases.slice(0, MOST_TERMS),
  };
}

export const isEmptyQuery = ({ words, prefix, phrases }: TextQuery): boolean =>
  words.length === 0 && prefix === null && phrases.length === 0;

/** Returns a function that says whether a word of a text is one that the query looks for. */
export function matcherOf({ words, prefix, phrases }: TextQuery): (word: string) => boolean {
  const wanted = new Set([...words, ...phrases.flat()]);
  return (word) => wanted.has(word) || (prefix !== null && word.startsWith(prefix));
}

function canBePrefix(word: string): boolean {
  return isDense(word) ? [...word].length === 1 : word.length >= SHORTEST_PREFIX && !STOP_WORDS.has(word);
}

function meaningful(words: string[], othersRemain: boolean): string[] {
  const kept = words.filter((word) => !STOP_WORDS.has(word));
  return kept.length > 0 || othersRemain ? kept : words;
}

/**
 * Returns the words of a phrase. Leaves out the lone last character of a run: in a text, the run may go on after it.
 */
function phraseWords(text: string): string[] {
  const words = wordsOf(text);
  const [last, before] = [words.at(-1), words.at(-2)];
  const endsRun = last && before && isDense(last.text) && before.end > last.start;
  return words.slice(0, endsRun ? -1 : undefined).map((word) => word.text);
}

/** Leaves out the lone last character of a run of two or more characters, because the pair before it covers it. */
function withoutLoneEnds(words: ReturnType<typeof wordsOf>): string[] {
  return words
    .filter((word, index) => {
      const before = words[index - 1];
      return !(before && isDense(word.text) && before.end > word.start && before.end === word.end);
    })
    .map((word) => word.text);
}

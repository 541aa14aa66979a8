import { stemmer as danish } from '@orama/stemmers/danish';
import { stemmer as dutch } from '@orama/stemmers/dutch';
import { stemmer as finnish } from '@orama/stemmers/finnish';
import { stemmer as french } from '@orama/stemmers/french';
import { stemmer as german } from '@orama/stemmers/german';
import { stemmer as greek } from '@orama/stemmers/greek';
import { stemmer as hungarian } from '@orama/stemmers/hungarian';
import { stemmer as italian } from '@orama/stemmers/italian';
import { stemmer as norwegian } from '@orama/stemmers/norwegian';
import { stemmer as portuguese } from '@orama/stemmers/portuguese';
import { stemmer as romanian } from '@orama/stemmers/romanian';
import { stemmer as russian } from '@orama/stemmers/russian';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import { stemmer as swedish } from '@orama/stemmers/swedish';
import { stemmer as turkish } from '@orama/stemmers/turkish';
import { stemmer as ukrainian } from '@orama/stemmers/ukrainian';
import { francAll } from 'franc';
import { stem as porter2 } from 'porter2';

/** A language with a stemmer in the text index: an ISO 639-1 code. */
export type Language = keyof typeof STEMMERS;

type Stemmer = (word: string) => string;

const STEMMERS = {
  en: porter2, // the package's own English stemmer conflates fewer forms than Snowball's
  da: danish,
  de: german,
  el: greek,
  es: spanish,
  fi: finnish,
  fr: french,
  hu: hungarian,
  it: italian,
  nl: dutch,
  no: norwegian,
  pt: portuguese,
  ro: romanian,
  ru: russian,
  sv: swedish,
  tr: turkish,
  uk: ukrainian,
} satisfies Record<string, Stemmer>;

/** The ISO 639-3 codes of the language detection. */
const DETECTED: Readonly<Record<string, Language>> = {
  dan: 'da',
  deu: 'de',
  ell: 'el',
  spa: 'es',
  fin: 'fi',
  fra: 'fr',
  hun: 'hu',
  ita: 'it',
  nld: 'nl',
  nob: 'no',
  nno: 'no',
  por: 'pt',
  ron: 'ro',
  rus: 'ru',
  swe: 'sv',
  tur: 'tr',
  ukr: 'uk',
};

/** In a text in one of these languages, words in another script are stemmed as English. */
const OF_ANOTHER_SCRIPT: Readonly<Partial<Record<Language, RegExp>>> = {
  el: /\p{Script=Greek}/u,
  ru: /\p{Script=Cyrillic}/u,
  uk: /\p{Script=Cyrillic}/u,
};

/** Other languages to detect, by the same codes: widely used ones without a stemmer. */
const OTHERS =
  'eng ind zlm jav sun vie pol ces slk slv hrv bos als cat glg lit lvs ekk afr swh hau yor som tgl ceb hat azj uzn bel bul srp mkd kaz tat'.split(
    ' ',
  );

/** The start of a text suffices to detect its language. */
const SAMPLED_CHARACTERS = 3_000;
/** Limit for the prose in it. */
const COMPARED = 1_200;
/** Shorter texts are often misdetected. */
const SHORTEST = 150;
// Not prose: code, addresses, and identifiers.
const NOT_PROSE = /`[^`]*`|\S*[/\\_:=<>{}()[\]@#]\S*/g;
/** Relative to 1 for the most likely language. */
const NEARLY_AS_LIKELY = 0.95;
const OPTIONS = { only: [...Object.keys(DETECTED), ...OTHERS], minLength: SHORTEST };

/**
 * Returns the language for stemming a text. Languages without a stemmer, and texts too short to detect, use English: searches
 * treat their words the same way, so they still find them.
 */
export function languageOf(text: string): Language {
  const prose = text.slice(0, SAMPLED_CHARACTERS).replace(NOT_PROSE, ' ').slice(0, COMPARED);
  if (isPlainEnglish(prose)) return 'en'; // fast path: detection takes a hundred times as long
  const likely = francAll(prose, OPTIONS).filter(([, likeliness]) => likeliness >= NEARLY_AS_LIKELY);
  if (likely.some(([code]) => code === 'eng')) return 'en';
  return likely.map(([code]) => DETECTED[code]).find((language) => language !== undefined) ?? 'en';
}

function isPlainEnglish(prose: string): boolean {
  const words = prose.match(WORD)?.length ?? 0;
  return words >= FEWEST_WORDS && (prose.match(ENGLISH)?.length ?? 0) >= words * SHARE_OF_ENGLISH;
}

const WORD = /\p{L}+/gu;
/** Words that occur in English texts, but not in those of other languages. */
const ENGLISH = /\b(?:the|and|that|this|with|you|your|from|which|when|should)\b/gi;
const FEWEST_WORDS = 20;
const SHARE_OF_ENGLISH = 0.06;

/** Returns whether this is the code of a language with a stemmer. */
export const isLanguage = (code: string): code is Language => Object.hasOwn(STEMMERS, code);

/** Returns the stem of a lower-case word, with its accents. */
export function stemOf(word: string, language: Language): string {
  const known = stems[language].get(word);
  if (known !== undefined) return known;
  const stem = spokenIn(language, word) ? STEMMERS[language](word) : STEMMERS.en(word);
  if (stems[language].size >= MOST_REMEMBERED) stems[language].clear();
  stems[language].set(word, stem);
  return stem;
}

const spokenIn = (language: Language, word: string): boolean => OF_ANOTHER_SCRIPT[language]?.test(word) ?? true;

/** Size of the stem cache of each language: texts repeat their words. */
const MOST_REMEMBERED = 20_000;
const stems = Object.fromEntries(Object.keys(STEMMERS).map((code) => [code, new Map()])) as Record<
  Language,
  Map<string, string>
>;

/**
 * Returns the suffix for stems of a language, which distinguishes them from words of other languages; empty for English. It is a
 * capital letter, which no indexed word contains.
 */
export const markOf = (language: Language): string => MARKS[language] ?? '';

const MARKS: Readonly<Partial<Record<Language, string>>> = {
  da: 'Å',
  de: 'Ä',
  el: 'Ω',
  es: 'Ñ',
  fi: 'Ö',
  fr: 'Ç',
  hu: 'Ő',
  it: 'Ì',
  nl: 'Ĳ',
  no: 'Ø',
  pt: 'Ã',
  ro: 'Ț',
  ru: 'Я',
  sv: 'Ë',
  tr: 'Ğ',
  uk: 'Ї',
};

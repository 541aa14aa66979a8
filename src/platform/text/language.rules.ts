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

/** A language whose words the text index reduces to their stems: an ISO 639-1 code. */
export type Language = keyof typeof STEMMERS;

type Stemmer = (word: string) => string;

const STEMMERS = {
  en: porter2, // that of the package above joins fewer forms than Snowball's
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

/** The codes of ISO 639-3, which the detection uses. */
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

/** Words of these are stemmed as English in a text of any other language, and the other way round. */
const OF_ANOTHER_SCRIPT: Readonly<Partial<Record<Language, RegExp>>> = {
  el: /\p{Script=Greek}/u,
  ru: /\p{Script=Cyrillic}/u,
  uk: /\p{Script=Cyrillic}/u,
};

/** Languages that a text may be in instead, by the same codes: those without a stemmer that many people write. */
const OTHERS =
  'eng ind zlm jav sun vie pol ces slk slv hrv bos als cat glg lit lvs ekk afr swh hau yor som tgl ceb hat azj uzn bel bul srp mkd kaz tat'.split(
    ' ',
  );

/** The beginning of a text tells its language well enough. */
const LOOKED_AT = 3_000;
/** Of the prose in it. */
const COMPARED = 1_200;
/** Shorter texts are often taken for the wrong language. */
const SHORTEST = 150;
// What is not prose: code, addresses, and names of things.
const NOT_PROSE = /`[^`]*`|\S*[/\\_:=<>{}()[\]@#]\S*/g;
/** Compared with 1 for the most likely language. */
const NEARLY_AS_LIKELY = 0.95;
const OPTIONS = { only: [...Object.keys(DETECTED), ...OTHERS], minLength: SHORTEST };

/**
 * Returns the language that the words of a text are stemmed in. English stands for every language without a stemmer,
 * and for texts too short to tell: searches treat their words alike, so they find them all the same.
 */
export function languageOf(text: string): Language {
  const prose = text.slice(0, LOOKED_AT).replace(NOT_PROSE, ' ').slice(0, COMPARED);
  if (isPlainEnglish(prose)) return 'en'; // comparing the languages takes a hundred times as long
  const likely = francAll(prose, OPTIONS).filter(([, likeliness]) => likeliness >= NEARLY_AS_LIKELY);
  if (likely.some(([code]) => code === 'eng')) return 'en';
  return likely.map(([code]) => DETECTED[code]).find((language) => language !== undefined) ?? 'en';
}

function isPlainEnglish(prose: string): boolean {
  const words = prose.match(WORD)?.length ?? 0;
  return words >= FEWEST_WORDS && (prose.match(ENGLISH)?.length ?? 0) >= words * SHARE_OF_ENGLISH;
}

const WORD = /\p{L}+/gu;
/** Words that English texts have, and those of other languages do not. */
const ENGLISH = /\b(?:the|and|that|this|with|you|your|from|which|when|should)\b/gi;
const FEWEST_WORDS = 20;
const SHARE_OF_ENGLISH = 0.06;

/** Returns whether this is the code of a language with a stemmer. */
export const isLanguage = (code: string): code is Language => Object.hasOwn(STEMMERS, code);

/** Returns the stem of a word in lower case, with its accents. */
export function stemOf(word: string, language: Language): string {
  const known = stems[language].get(word);
  if (known !== undefined) return known;
  const stem = spokenIn(language, word) ? STEMMERS[language](word) : STEMMERS.en(word);
  if (stems[language].size >= MOST_REMEMBERED) stems[language].clear();
  stems[language].set(word, stem);
  return stem;
}

const spokenIn = (language: Language, word: string): boolean => OF_ANOTHER_SCRIPT[language]?.test(word) ?? true;

/** Stems that are remembered in each language, because a text repeats its words. */
const MOST_REMEMBERED = 20_000;
const stems = Object.fromEntries(Object.keys(STEMMERS).map((code) => [code, new Map()])) as Record<
  Language,
  Map<string, string>
>;

/**
 * Returns the letter that is added to the stems of a language, so that they are not taken for words of another; none
 * for English. It is a capital letter, which no indexed word has.
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

import { foldedTime } from './time-text.rules.js';

/** The meaning of a word in a language. Some have two: `mar` is Tuesday and March in Spanish. */
export interface Meaning {
  month?: number; // 1-12
  weekday?: number; // 0-6, from Sunday
}

/** The names of months and weekdays in a language, in lower case and without accents. */
export interface Dictionary {
  isEnglish: boolean;
  names: ReadonlyMap<string, Meaning>;
}

/** The languages of feeds, in order of preference for ambiguous texts: `listopad` is November in Polish and October in Croatian. */
const LANGUAGES: readonly string[] = (
  'en de fr es it pt nl pl ru sv da nb fi cs tr uk hu ro el sk bg hr sr sr-Latn sl be lt lv et ca gl eu is id ms ' +
  'th vi ar ar-SY ar-DZ he fa hi bn ur ta bs mk sq ga cy af sw ka hy az kk uz'
).split(' ');
/** Common spellings that the tables of Unicode lack. */
const MORE: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  en: { sept: 9, febuary: 2 },
  de: { mrz: 3, maerz: 3, janner: 1, jaenner: 1, feber: 2, sept: 9 },
  fr: { sept: 9, jui: 6 },
  es: { sept: 9, set: 9, setiembre: 9 },
  nl: { mrt: 3 },
  vi: numbered(
    'thang mot,thang hai,thang ba,thang tu,thang nam,thang sau,thang bay,thang tam,thang chin,thang muoi,' +
      'thang muoi mot,thang muoi hai',
  ),
  // "of August" is one word
  eu: numbered(
    'urtarrilaren,otsailaren,martxoaren,apirilaren,maiatzaren,ekainaren,uztailaren,abuztuaren,irailaren,urriaren,' +
      'azaroaren,abenduaren',
  ),
  // "in August" is one word
  he: numbered('בינואר,בפברואר,במרץ,באפריל,במאי,ביוני,ביולי,באוגוסט,בספטמבר,באוקטובר,בנובמבר,בדצמבר'),
};
const SHORTEST_PREFIX = 3;

function numbered(months: string): Record<string, number> {
  return Object.fromEntries(months.split(',').map((month, index) => [foldedTime(month), index + 1]));
}

const known = new Map<string, Dictionary>();

/** Yields the names of months and weekdays in each language, English first. */
export function* dictionaries(): Generator<Dictionary> {
  for (const language of LANGUAGES) yield dictionaryOf(language);
}

function dictionaryOf(language: string): Dictionary {
  const before = known.get(language);
  if (before) return before;
  const names = withPrefixes(namesOf(language));
  for (const [word, month] of Object.entries(MORE[language] ?? {})) add(names, word, { month });
  const dictionary = { isEnglish: language === 'en', names };
  known.set(language, dictionary);
  return dictionary;
}

/** Returns the names from Unicode, long and short, in the forms within a date and standalone. */
function namesOf(language: string): Map<string, Meaning> {
  const names = new Map<string, Meaning>();
  for (const width of ['long', 'short'] as const) {
    for (const form of [{ day: 'numeric', year: 'numeric', weekday: width }, {}] as const) {
      const format = new Intl.DateTimeFormat(`${language}-u-ca-gregory-nu-latn`, {
        ...form,
        month: width,
        timeZone: 'UTC',
      });
      // The first days of the months of any year cover all weekdays.
      for (let month = 1; month <= 12; month += 1) addNames(names, format, new Date(Date.UTC(2023, month - 1, 1)));
    }
  }
  return names;
}

function addNames(names: Map<string, Meaning>, format: Intl.DateTimeFormat, day: Date): void {
  for (const { type, value } of format.formatToParts(day)) {
    const words = foldedTime(value).match(/\p{L}+/gu) ?? [];
    const key = (words.length > 1 ? words.filter((word) => !isParticle(word)) : words).join(' ');
    if (key === '' || /\d/.test(value)) continue;
    if (type === 'month') add(names, key, { month: day.getUTCMonth() + 1 });
    if (type === 'weekday') add(names, key, { weekday: day.getUTCDay() });
  }
}

// d’agost, de novembre
const isParticle = (word: string): boolean => word === 'd' || word === 'de';

function add(names: Map<string, Meaning>, key: string, meaning: Meaning): void {
  names.set(key, { ...meaning, ...names.get(key) });
}

/** Adds the unambiguous prefixes of names: `juill`, `marz`. */
function withPrefixes(names: ReadonlyMap<string, Meaning>): Map<string, Meaning> {
  const all = new Map(names);
  for (const kind of ['month', 'weekday'] as const) {
    const meanings = new Map<string, number | null>();
    for (const [name, { [kind]: meaning }] of names) {
      if (meaning === undefined) continue;
      for (let length = SHORTEST_PREFIX; length < name.length; length += 1) {
        const prefix = name.slice(0, length);
        meanings.set(prefix, (meanings.get(prefix) ?? meaning) === meaning ? meaning : null);
      }
    }
    for (const [prefix, meaning] of meanings) {
      if (meaning !== null && names.get(prefix)?.[kind] === undefined) add(all, prefix, { [kind]: meaning });
    }
  }
  return all;
}

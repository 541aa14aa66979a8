/** English stop words, which occur in nearly every text. */
const STOP_WORDS = new Set(
  (
    'a about an and any are as at be but by can could did do does for from had has have how i if in into is it its me my no not of on ' +
    'or our please should show so such tell that the their then there these they thing things this to want was we were what when ' +
    'where which who why will with would you your'
  ).split(' '),
);

/** English words typical of questions on any topic. In a small collection they may be rare, and would seem as specific as names. */
const EVERYDAY_WORDS = new Set(
  (
    'after again all already also always am another anyone anything back because been before being both come done down each either ' +
    'else even ever every everything get gets give given gives go goes going gone got he her here him his inside instead just keep ' +
    'keeps kept last least left less let like long look made make makes many may might more most much must need needs never next ' +
    'nothing off often one only other out over own quite rather really right same say says see several she since some someone ' +
    'something still take taken takes than them though through together too turn turned turns under until up us use used uses ' +
    'using very via way went whether while within without work working works yet'
  ).split(' '),
);

/** Weight of an everyday word, relative to another one of the same frequency. */
const EVERYDAY = 0.4;

/** Returns whether a word is dropped from a query that has other words. */
export const isStopWord = (word: string): boolean => STOP_WORDS.has(word);

/** Returns the specificity of a query word, regardless of its frequency: from 0 to 1. */
export const boostOf = (word: string): number => (EVERYDAY_WORDS.has(word) ? EVERYDAY : 1);

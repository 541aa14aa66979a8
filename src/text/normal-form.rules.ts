/** The marks in a row that are kept: more than any script needs (Unicode Standard Annex #15, stream-safe text format). */
const MOST_MARKS = 30;
// The two half-width marks count as letters, but what is compatible with them are marks.
const MARK = String.raw`[\p{M}\uff9e\uff9f]`;
const TOO_MANY = new RegExp(`(?<!${MARK})${MARK}{${MOST_MARKS + 1},}`, 'gu');

/**
 * The text in a normal form of Unicode. Of each run of marks only the first 30 are kept: to bring marks in order takes time
 * by the square of their number. What strangers write is normalised here and nowhere else.
 */
export function normalForm(text: string, form: 'NFKC' | 'NFKD'): string {
  const safe = text.length > MOST_MARKS ? text.replace(TOO_MANY, firstMarks) : text;
  return safe.normalize(form);
}

const firstMarks = (run: string): string => run.slice(0, wholeCharacters(run));

// Never between the two halves of a character.
function wholeCharacters(run: string): number {
  const last = run.charCodeAt(MOST_MARKS - 1);
  return last >= 0xd800 && last < 0xdc00 ? MOST_MARKS - 1 : MOST_MARKS;
}

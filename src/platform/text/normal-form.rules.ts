/** Maximum length of a run of marks; more than any script needs (Unicode Standard Annex #15, stream-safe text format). */
const MOST_MARKS = 30;
// The two half-width marks count as letters, but normalisation turns them into marks.
const MARK = String.raw`[\p{M}\uff9e\uff9f]`;
const TOO_MANY = new RegExp(`(?<!${MARK})${MARK}{${MOST_MARKS + 1},}`, 'gu');

/**
 * Returns the text in a Unicode normal form. Keeps only the first 30 marks of each run, because sorting marks takes quadratic
 * time. Normalise untrusted texts only with this function.
 */
export function normalForm(text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string {
  const safe = text.length > MOST_MARKS ? text.replace(TOO_MANY, firstMarks) : text;
  return safe.normalize(form);
}

const firstMarks = (run: string): string => run.slice(0, wholeCharacters(run));

// Never splits a surrogate pair.
function wholeCharacters(run: string): number {
  const last = run.charCodeAt(MOST_MARKS - 1);
  return last >= 0xd800 && last < 0xdc00 ? MOST_MARKS - 1 : MOST_MARKS;
}

import { eachWord } from './words.rules.js';

/** Maximum number of matches considered: enough to find a good part. */
const MOST_MATCHES = 1_000;
/** A part starts at the start of a line or a word, if there is one this close. */
const NEAR_CHARACTERS = 200;

/** A range of characters from `start` to before `end`. */
export interface TextRange {
  start: number;
  end: number;
}

/** Returns the ranges of matching words, in order. */
export function matchesIn(text: string, isMatch: (word: string) => boolean): TextRange[] {
  const ranges: TextRange[] = [];
  eachWord(text, ({ text: word, start, end }) => {
    if (ranges.length >= MOST_MATCHES || !isMatch(word)) return;
    const last = ranges.at(-1);
    // Overlapping pairs of characters count as one match.
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else ranges.push({ start, end });
  });
  return ranges;
}

/**
 * Returns the part of a text with the most matches; the whole text if it is short enough. If possible, a part starts and ends at
 * a line boundary, or else at a word boundary.
 * @param most length of the part, in characters
 */
export function bestPart(text: string, matches: readonly TextRange[], most: number): TextRange {
  if (text.length <= most) return { start: 0, end: text.length };
  const near = Math.min(NEAR_CHARACTERS, Math.floor(most / 4));
  const first = bestStart(matches, most - 2 * near);
  const latest = text.length - most;
  if (first - near >= latest) return { start: startOf(text, latest, Math.min(first, latest + near)), end: text.length };
  const start = startOf(text, first - near, first);
  return { start, end: endOf(text, start + most - near, start + most) };
}

function bestStart(matches: readonly TextRange[], length: number): number {
  let best = { start: 0, count: 0 };
  let within = 0;
  matches.forEach(({ start }, index) => {
    while (within < matches.length && (matches[within]?.end ?? 0) <= start + length) within += 1;
    within = Math.max(within, index + 1); // a single match may be too long
    const count = within - index;
    if (count > best.count) best = { start, count };
  });
  return best.start;
}

/** Returns a good start, from `least` to `most`. */
function startOf(text: string, least: number, most: number): number {
  if (least <= 0) return 0;
  const before = text.slice(least - 1, most);
  const line = before.indexOf('\n');
  const gap = line >= 0 ? line : before.search(/\s/);
  const at = gap >= 0 ? least + gap : most;
  return isWithinCharacter(text, at) ? at + 1 : at;
}

/** Returns a good end, from `least` to `most`. */
function endOf(text: string, least: number, most: number): number {
  const after = text.slice(least, most + 1);
  const line = after.lastIndexOf('\n');
  const gap = line >= 0 ? line : after.search(/\s(?=\S*$)/);
  const at = gap >= 0 ? least + gap : most;
  return isWithinCharacter(text, at) ? at - 1 : at;
}

const isWithinCharacter = (text: string, at: number): boolean =>
  /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(at - 1, at + 1));

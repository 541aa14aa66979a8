import { eachWord } from './words.rules.js';

const EXCERPT_CHARACTERS = 360;
const LEAD_CHARACTERS = 60;
/** Matches that are looked at; of more, the first are enough to find a good part. */
const MOST_MATCHES = 1_000;

/** Returns the part of a text that holds the most matches, about 360 characters long, with the matches in **bold**. */
export function excerptOf(text: string, isMatch: (word: string) => boolean): string {
  const plain = text
    .replace(/\*\*|__|`{3,}\w*/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  const found = matchesIn(plain, isMatch);
  const from = startOf(plain, bestStart(found));
  const to = endOf(plain, from + EXCERPT_CHARACTERS);
  return `${from > 0 ? '… ' : ''}${highlighted(plain, found, from, to)}${to < plain.length ? ' …' : ''}`;
}

interface Span {
  start: number;
  end: number;
}

function matchesIn(text: string, isMatch: (word: string) => boolean): Span[] {
  const spans: Span[] = [];
  eachWord(text, ({ text: word, start, end }) => {
    if (spans.length >= MOST_MATCHES || !isMatch(word)) return;
    const last = spans.at(-1);
    // Overlapping pairs of characters count as one match.
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else spans.push({ start, end });
  });
  return spans;
}

function bestStart(found: readonly Span[]): number {
  let best = { start: 0, count: 0 };
  let within = 0;
  found.forEach(({ start }, index) => {
    const end = start + EXCERPT_CHARACTERS - LEAD_CHARACTERS;
    while (within < found.length && (found[within]?.end ?? end) <= end) within += 1;
    const count = within - index;
    if (count > best.count) best = { start, count };
  });
  return best.start;
}

function startOf(text: string, match: number): number {
  if (match <= LEAD_CHARACTERS || text.length <= EXCERPT_CHARACTERS) return 0;
  const space = text.indexOf(' ', match - LEAD_CHARACTERS);
  return space >= 0 && space < match ? space + 1 : match;
}

function endOf(text: string, limit: number): number {
  if (limit >= text.length) return text.length;
  const space = text.lastIndexOf(' ', limit);
  return space > limit - LEAD_CHARACTERS ? space : limit;
}

function highlighted(text: string, found: readonly Span[], from: number, to: number): string {
  let [result, at] = ['', from];
  for (const { start, end } of found) {
    if (start < from || end > to) continue;
    result += `${text.slice(at, start)}**${text.slice(start, end)}**`;
    at = end;
  }
  return result + text.slice(at, to);
}

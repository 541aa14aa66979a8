import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseFeedTime } from '../../src/features/feeds/reading/time.rules.js';

const linesOf = (file: string): string[] =>
  readFileSync(join(import.meta.dirname, 'dates', file), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
const TIMES = ['standards.txt', 'languages.txt'].flatMap(linesOf).map((line) => {
  const tab = line.indexOf('\t');
  return { instant: line.slice(0, tab), text: line.slice(tab + 1) };
});

describe('a time of a feed', () => {
  it.each(TIMES)('$text', ({ instant, text }) => {
    const leapSecond = instant.replace(':60Z', ':59Z');
    const expected = new Date(leapSecond).getTime() + (leapSecond === instant ? 0 : 1_000);
    expect(parseFeedTime(text)).toEqual(new Date(expected));
  });

  it('is known in hundreds of spellings', () => {
    expect(new Set(TIMES.map(({ text }) => text)).size).toBe(TIMES.length);
    expect(TIMES.length).toBeGreaterThan(300);
  });

  it.each(TIMES)('$text, whatever the case, the spaces and the marks of direction', ({ text }) => {
    const plain = parseFeedTime(text);
    expect(parseFeedTime(`\u200f ${text.replaceAll(' ', ' \u00a0')} \u200e`)).toEqual(plain);
    expect(parseFeedTime(text.toUpperCase())).toEqual(plain);
  });

  it.each(linesOf('none.txt'))('none: %s', (text) => expect(parseFeedTime(text)).toBeNull());
});

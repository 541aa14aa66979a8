import { Random } from '../../../test/fuzz/random.js';
import { bestPart, matchesIn } from './excerpt.rules.js';

const isMatch = (word: string) => ['needle', 'néédles', '検索', '文検'].includes(word);
const found = (text: string) => matchesIn(text, isMatch).map(({ start, end }) => text.slice(start, end));
const part = (text: string, most: number) => {
  const { start, end } = bestPart(text, matchesIn(text, isMatch), most);
  return text.slice(start, end);
};

describe('matches in a text', () => {
  it('are the words that match, as they are written', () => {
    expect(found('A Needle, and nééDLES.\nAn **old** mark, `needle`')).toEqual(['Needle', 'nééDLES', 'needle']);
  });

  it('count overlapping pairs of characters once', () => {
    expect(found('全文検索')).toEqual(['文検索']);
  });
});

describe('the best part of a text', () => {
  const hay = 'hay '.repeat(200);

  it('is the whole text if it fits', () => {
    expect(part('a needle', 8)).toBe('a needle');
  });

  it('has the most matches, and whole words', () => {
    const shown = part(`needle ${hay} needle needle end ${hay}`, 300);
    expect(shown).toMatch(/^hay (hay )* ?needle needle end (hay ?)+$/);
    expect(shown.length).toBeLessThanOrEqual(300);
  });

  it('has whole lines', () => {
    const lines = Array.from({ length: 100 }, (_, n) => `  line ${n}${n === 50 ? ' needle' : ''} of many`);
    const shown = part(lines.join('\n'), 200).split('\n');
    expect(shown).toContain('  line 50 needle of many');
    expect(shown.every((line) => lines.includes(line))).toBe(true);
  });

  it('is the beginning when nothing matches', () => {
    expect(part(`begin ${hay}`, 100)).toMatch(/^begin (hay ?)+$/);
  });

  it('is the end when the matches are there', () => {
    expect(part(`${hay}needle`, 100)).toMatch(/^(hay )+needle$/);
  });

  it('has a match, is long enough and never cuts a character, whatever the text', () => {
    const random = new Random(5);
    for (let round = 0; round < 3_000; round += 1) {
      const text = Array.from({ length: random.integer(1, 120) }, () =>
        random.pick(['needle', ' ', '\n', 'hay', '😀', '検索', 'x'.repeat(40)]),
      ).join('');
      const most = random.integer(100, 400);
      const shown = part(text, most);
      expect(shown.length).toBeLessThanOrEqual(most);
      expect(shown.length).toBeGreaterThanOrEqual(Math.min(text.length, most / 2 - 2));
      expect(shown.isWellFormed()).toBe(true);
      expect(found(shown).length > 0).toBe(found(text).length > 0);
    }
  });
});

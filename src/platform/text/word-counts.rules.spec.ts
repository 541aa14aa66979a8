import { Random } from '../../../test/fuzz/random.js';
import { countWords, hashOf, lengthsOf, occurrencesOf } from './word-counts.rules.js';

const FIELDS = ['title', 'context', 'body'] as const;

describe('the words of a row', () => {
  it('are counted in each field, whatever the row', () => {
    const random = new Random(5);
    for (let round = 0; round < 200; round += 1) {
      const some = (most: number) =>
        Array.from({ length: random.integer(0, most) }, () => `w${random.integer(0, 40)}`).join(' ');
      const fields = { title: some(8), context: some(12), body: some(300) };
      const counts = countWords(fields);
      const wordsOf = (field: (typeof FIELDS)[number]) => fields[field].split(' ').filter((word) => word !== '');
      expect(lengthsOf(counts)).toEqual(Object.fromEntries(FIELDS.map((field) => [field, wordsOf(field).length])));
      for (let word = 0; word < 41; word += 1) {
        const expected = FIELDS.map(
          (field) => [field, wordsOf(field).filter((one) => one === `w${word}`).length] as const,
        );
        const isThere = expected.some(([, count]) => count > 0);
        expect(occurrencesOf(counts, hashOf(`w${word}`))).toEqual(isThere ? Object.fromEntries(expected) : null);
      }
    }
  });

  it('are read at any offset in a larger buffer, as databases return them', () => {
    const counts = countWords({ title: 'a', context: '', body: 'b b' });
    const moved = new Uint8Array(counts.length + 3);
    moved.set(counts, 3);
    const view = moved.subarray(3);
    expect([lengthsOf(view), occurrencesOf(view, hashOf('b'))]).toEqual([
      { title: 1, context: 0, body: 2 },
      { title: 0, context: 0, body: 2 },
    ]);
  });

  it('count as 15 in the title and the context, and as 255 in the body, when there are more', () => {
    const many = 'a '.repeat(300);
    const counts = countWords({ title: many, context: many, body: many });
    expect(occurrencesOf(counts, hashOf('a'))).toEqual({ title: 15, context: 15, body: 255 });
    expect(lengthsOf(counts)).toEqual({ title: 300, context: 300, body: 300 });
  });

  it('are empty for an empty row', () => {
    expect(occurrencesOf(countWords({ title: '', context: '', body: '' }), hashOf('a'))).toBeNull();
  });
});

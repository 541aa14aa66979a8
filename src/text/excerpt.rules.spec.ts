import { excerptOf } from './excerpt.rules.js';

const isMatch = (word: string) => ['needle', '検索', '文検'].includes(word);

describe('excerptOf', () => {
  it('marks the words that match', () => {
    expect(excerptOf('A Needle, and nééDLES.\nAn **old** mark', isMatch)).toBe(
      'A **Needle**, and **nééDLES**. An old mark',
    );
  });

  it('marks overlapping pairs of characters as one match', () => {
    expect(excerptOf('全文検索', isMatch)).toBe('全**文検索**');
  });

  it('shows the part with the most matches', () => {
    const hay = 'hay '.repeat(200);
    const excerpt = excerptOf(`needle ${hay} needle needle end ${hay}`, isMatch);
    expect(excerpt).toMatch(/^… (hay )+\*\*needle\*\* \*\*needle\*\* end (hay ?)+ …$/);
    expect(excerpt.length).toBeLessThan(400);
  });

  it('shows the beginning when nothing matches', () => {
    expect(excerptOf(`begin ${'hay '.repeat(200)}`, isMatch)).toMatch(/^begin .* …$/);
  });
});

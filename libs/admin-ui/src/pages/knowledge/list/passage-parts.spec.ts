import { passageParts } from './passage-parts';

const textOf = (parts: ReturnType<typeof passageParts>) => parts.map(({ text }) => text).join('');

describe('passageParts', () => {
  it('separates the matching words from the others', () => {
    expect(passageParts('the `deploy` **day**', [{ start: 5, end: 11 }])).toEqual([
      { text: 'the `', isFound: false },
      { text: 'deploy', isFound: true },
      { text: '` **day**', isFound: false },
    ]);
  });
  it('begins and ends with a matching word', () => {
    expect(
      passageParts('Deploy day', [
        { start: 0, end: 6 },
        { start: 7, end: 10 },
      ]).map(({ isFound }) => isFound),
    ).toEqual([true, false, true]);
  });
  it('shows a part of a long passage, from the line before the first word that was found', () => {
    const line = 'hay '.repeat(24);
    const content = `${`${line}\n`.repeat(9)}here is a needle\n${`${line}\n`.repeat(9)}`;
    const start = content.indexOf('needle');
    const shown = textOf(passageParts(content, [{ start, end: start + 6 }]));
    expect(shown).toMatch(/^…\n(hay )+\nhere is a needle\n(hay ?|\n)+\n…$/);
    expect(shown.length).toBeLessThan(500);
  });
  it('shows the beginning of a long passage in which no word was found', () => {
    expect(textOf(passageParts(`first ${'hay '.repeat(400)}`, []))).toMatch(/^first (hay )+hay\n…$/);
  });
  it('cuts even what has no spaces', () => {
    expect(textOf(passageParts('x'.repeat(1500), [{ start: 1000, end: 1010 }])).length).toBeLessThan(500);
  });
  it('returns nothing for an empty passage', () => {
    expect(passageParts('', [])).toEqual([]);
  });
});

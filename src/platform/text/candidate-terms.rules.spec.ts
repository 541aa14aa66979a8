import { candidateTerms } from './candidate-terms.rules.js';

const chosen = (counts: number[], most: number) =>
  candidateTerms(
    counts.map((count, index) => ({ query: `w${index}`, count })),
    most,
  ).map(({ query }) => query);

describe('the terms that select candidates', () => {
  it.each([
    ['all of them when they are rare', [3, 1, 2], 10, ['w1', 'w2', 'w0']],
    ['the rarest, up to the limit of rows', [900, 5, 80, 20], 100, ['w1', 'w3']],
    ['the rarest one, however frequent', [900, 800], 100, ['w1']],
    ['no term that no row has', [0, 4], 100, ['w1']],
    ['nothing when there are no terms', [], 100, []],
  ])('are %s', (_title, counts, most, expected) => {
    expect(chosen(counts, most)).toEqual(expected);
  });
});

import { fuseRankings } from './rank-fusion.rules.js';

describe('the fusion of rankings', () => {
  it('puts first what is high in both', () => {
    expect(
      fuseRankings([
        ['a', 'b', 'c'],
        ['c', 'b', 'd'],
      ]),
    ).toEqual(['c', 'b', 'a', 'd']);
  });

  it('keeps the order of the only ranking that has entries', () => {
    expect(fuseRankings([['a', 'b', 'c'], []])).toEqual(['a', 'b', 'c']);
    expect(fuseRankings([[], ['x', 'y']])).toEqual(['x', 'y']);
  });

  it('lets the first ranking decide what is equal', () => {
    expect(fuseRankings([['a'], ['b']])).toEqual(['a', 'b']);
  });
});

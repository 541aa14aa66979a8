import { fuseRankings } from './rank-fusion.rules.js';

describe('the fusion of rankings', () => {
  it('puts entries first that rank high in both', () => {
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

  it('lets the first ranking decide between equal scores', () => {
    expect(fuseRankings([['a'], ['b']])).toEqual(['a', 'b']);
  });
});

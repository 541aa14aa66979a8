import { fuseRankings, fuseWithSemantic } from './rank-fusion.rules.js';

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

  it('counts rankings by their weights', () => {
    const rankings = [['a'], ['b']];
    expect(fuseRankings(rankings, { weights: [1, 2] })).toEqual(['b', 'a']);
    expect(fuseRankings(rankings, { weights: [1] })).toEqual(['a', 'b']);
  });

  it('prefers the first ranks more with a smaller constant', () => {
    const rankings = [
      ['a', 'x', 'b'],
      ['y', 'z', 'b'],
    ];
    expect(fuseRankings(rankings)[0]).toBe('b');
    expect(fuseRankings(rankings, { constant: 0 })[0]).toBe('a');
  });

  it('lets the first ranking decide between equal scores', () => {
    expect(fuseRankings([['a'], ['b']])).toEqual(['a', 'b']);
  });
});

describe('the fusion of words and meaning', () => {
  it('counts meaning as much as words that do not all match', () => {
    expect(fuseWithSemantic(['a', 'b', 'c'], ['d'], false)).toEqual(['a', 'd', 'b', 'c']);
  });

  it('counts meaning half where something has all the words', () => {
    expect(fuseWithSemantic(['a', 'b', 'c'], ['d'], true)).toEqual(['a', 'b', 'c', 'd']);
    expect(fuseWithSemantic(['a', 'b', 'c'], ['c'], true)).toEqual(['c', 'a', 'b']);
  });
});

import { packRows, unpackRows } from './packed-rows.js';

const bytesOf = (...values: number[]) => Uint8Array.from(values);

const sentTo = (columns: string[], rows: unknown[][]) => unpackRows(structuredClone(packRows(columns, rows)));

describe('packed rows', () => {
  it('are restored unchanged, with binary values between those of every other kind', () => {
    const rows = [
      [1, bytesOf(1, 2, 3), bytesOf(9), 'a'],
      [2, null, bytesOf(), '[0, 1]'],
      [3, 7.5, bytesOf(255, 0), null],
    ];
    expect(sentTo(['id', 'words', 'signs', 'name'], rows)).toEqual([
      { id: 1, words: bytesOf(1, 2, 3), signs: bytesOf(9), name: 'a' },
      { id: 2, words: null, signs: bytesOf(), name: '[0, 1]' },
      { id: 3, words: 7.5, signs: bytesOf(255, 0), name: null },
    ]);
  });

  it('have their binary values in one piece, and none without any', () => {
    expect(
      packRows(
        ['a', 'b'],
        [
          [bytesOf(1), 2],
          [3, bytesOf(4, 5)],
        ],
      ).bytes,
    ).toEqual(bytesOf(1, 4, 5));
    expect(packRows(['a'], [['x'], [null]]).bytes).toBeNull();
  });

  it('may be none, with or without columns', () => {
    expect([sentTo(['id'], []), sentTo([], [])]).toEqual([[], []]);
  });
});

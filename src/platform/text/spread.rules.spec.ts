import { betterLevel, levelFor, levelLabel, levelLabels } from './spread.rules.js';

describe('the levels of rows', () => {
  const ROWS = 100_000;
  const rowsOf = (level: number) =>
    Array.from({ length: ROWS }, (_, n) => n + 1).filter((id) => levelLabels(id).includes(levelLabel(level)));

  it.each([1, 2, 5, 8])('have half as many rows as the level below, spread evenly: %i', (level) => {
    const rows = rowsOf(level);
    const expected = ROWS / 2 ** level;
    expect(Math.abs(rows.length / expected - 1)).toBeLessThan(0.05);
    const tenths = Array.from({ length: 10 }, (_, tenth) => {
      const [from, to] = [(tenth * ROWS) / 10, ((tenth + 1) * ROWS) / 10];
      return rows.filter((id) => id > from && id <= to).length;
    });
    for (const tenth of tenths) expect(Math.abs(tenth / (expected / 10) - 1)).toBeLessThan(0.15);
    // Each level also has its share of rows at regular intervals.
    const third = rows.filter((id) => id % 3 === 0).length;
    expect(Math.abs(third / (rows.length / 3) - 1)).toBeLessThan(0.15);
  });

  it.each([
    [0, 4_000, 0],
    [4_000, 4_000, 0],
    [4_001, 4_000, 1],
    [8_001, 4_000, 2],
    [200_000, 4_000, 6],
    [1e12, 4_000, 12],
  ])('are chosen so that of %i rows at most %i are looked at: level %i', (rows, most, level) => {
    expect(levelFor(rows, most)).toBe(level);
  });

  it.each([
    ['has enough rows', 3, 2_500, 3],
    ['has too many', 3, 4_000, 4],
    ['is the last, and has too many', 12, 4_000, 12],
    ['has few', 6, 300, 3],
    ['has few, but the next would have about as many as may be', 6, 1_600, 6],
    ['has none', 6, 0, 0],
    ['has all of few', 0, 10, 0],
    ['has all of too many', 0, 4_000, 1],
  ])('are left for a better one, when one %s', (_what, level, size, better) => {
    expect(betterLevel(level, size, 4_000)).toBe(better);
  });
});

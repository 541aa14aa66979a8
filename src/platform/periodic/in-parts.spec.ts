import { inParts } from './in-parts.js';

describe('work in parts', () => {
  it('is done until a part does less than it may, and others have their turn in between', async () => {
    let left = 25;
    let turns = 0;
    let next = setImmediate(function turn() {
      turns += 1;
      next = setImmediate(turn);
    });
    const parts: number[] = [];
    const done = await inParts(10, async (atOnce) => {
      const part = Math.min(atOnce, left);
      left -= part;
      parts.push(part);
      return part;
    });
    clearImmediate(next);
    expect([done, parts]).toEqual([25, [10, 10, 5]]);
    expect(turns).toBeGreaterThanOrEqual(2);
  });
});

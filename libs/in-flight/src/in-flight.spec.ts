import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { InFlight } from './in-flight.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as (options?: { type: 'minor' }) => void;

/** A pseudo-random number generator (mulberry32), so that failures are reproducible. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

describe('what is in flight', () => {
  it.each([1, 2, 3])('is what was added and not deleted, under numbers that are never reused (seed %i)', (seed) => {
    const random = randomOf(seed);
    const [table, model] = [new InFlight<string>(), new Map<number, string>()];
    let last = 0;
    const deleted: number[] = [];
    for (let step = 0; step < 20_000; step += 1) {
      // Alternates between phases in which the set grows and in which it shrinks.
      const goes = model.size > 0 && random(100) < (Math.floor(step / 2_000) % 2 === 0 ? 40 : 60);
      if (goes) {
        const number = [...model.keys()][random(Math.min(model.size, 30))] ?? 0;
        table.delete(number);
        model.delete(number);
        deleted.push(number);
      } else {
        const number = table.add(`item ${step}`);
        expect(number).toBeGreaterThan(last);
        last = number;
        model.set(number, `item ${step}`);
      }
      const late = deleted[random(deleted.length || 1)] ?? -1;
      table.delete(late);
      expect(table.get(late)).toBeUndefined();
      expect(table.size).toBe(model.size);
      if (step % 500 > 0) continue;
      expect([...table].map(({ number, item }) => [number, item]).sort(([a], [b]) => Number(a) - Number(b))).toEqual([
        ...model,
      ]);
      for (const [number, item] of model) expect(table.get(number)).toBe(item);
    }
  });

  it('may end during an iteration', () => {
    const table = new InFlight<string>();
    const numbers = ['a', 'b', 'c'].map((item) => table.add(item));
    const seen: string[] = [];
    for (const { number, item } of table) {
      seen.push(item);
      for (const other of numbers) if (other !== number) table.delete(other);
      table.add('later');
    }
    expect(seen).toHaveLength(1);
  });

  it('leaves nothing behind that only a major garbage collection frees', () => {
    const oldBytes = () =>
      getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')?.space_used_size ?? NaN;
    const grown = (table: Pick<InFlight<object>, 'add' | 'delete'>): number => {
      const going = Array.from({ length: 50 }, () => table.add(Array<number>(100).fill(0)));
      collectGarbage();
      const before = oldBytes();
      for (let step = 0; step < 20_000; step += 1) {
        table.delete(going.shift() ?? 0);
        going.push(table.add(Array<number>(100).fill(0)));
        if (step % 1_000 === 0) collectGarbage({ type: 'minor' });
      }
      return oldBytes() - before;
    };
    // The tables of a Map keep nearly all of it reachable.
    const map = new Map<number, object>();
    const last = { number: 0 };
    const add = (item: object) => (map.set((last.number += 1), item), last.number);
    const byMap = grown({ add, delete: (number) => void map.delete(number) });
    expect(byMap).toBeGreaterThan(1_000_000);
    expect(grown(new InFlight())).toBeLessThan(byMap / 10);
  });
});

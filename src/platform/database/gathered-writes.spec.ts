import { until } from '../../../test/support/until.js';
import { DatabaseUnavailable } from './database.errors.js';
import { GatheredWrites } from './gathered-writes.js';

describe('GatheredWrites', () => {
  const written: string[][] = [];
  let isDown = false;
  beforeEach(() => {
    written.splice(0);
    isDown = false;
  });
  const writes = (atOnce = 1) =>
    new GatheredWrites<string, true>(
      async (items) => {
        written.push([...items]);
        await new Promise((wake) => setTimeout(wake, 5));
        if (items.includes('bad')) throw new Error('this one is bad');
        if (isDown) throw new DatabaseUnavailable('the disk is full', { cause: null, isLasting: true });
        return new Map(items.filter((item) => item !== 'known').map((item) => [item, true]));
      },
      { most: 4, atOnce },
    );

  it('writes together what comes together, and then what came meanwhile, so many at once', async () => {
    const gathered = writes();
    const first = ['a', 'b', 'known'].map((item) => gathered.add(item));
    await until(() => written.length === 1);
    const later = ['c', 'd', 'e', 'f', 'g'].map((item) => gathered.add(item));
    expect(await Promise.all([...first, ...later])).toEqual([true, true, undefined, true, true, true, true, true]);
    expect(written).toEqual([['a', 'b', 'known'], ['c', 'd', 'e', 'f'], ['g']]);
    expect(await gathered.add('h')).toBe(true);
  });

  it('writes as many transactions at once as it may', async () => {
    const gathered = writes(2);
    const saved = new Set<string>();
    const first = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].map((item) =>
      gathered.add(item).then(() => saved.add(item)),
    );
    await until(() => written.length === 2);
    expect([written, saved.size]).toEqual([
      [
        ['a', 'b', 'c', 'd'],
        ['e', 'f', 'g', 'h'],
      ],
      0,
    ]);
    await Promise.all(first);
    expect([written.slice(2), saved.size]).toEqual([[['i']], 9]);
  });

  it('fails only the write that is rejected, and continues', async () => {
    const gathered = writes();
    const all = await Promise.allSettled(['a', 'bad', 'known', 'b'].map((item) => gathered.add(item)));
    expect(all).toEqual([
      { status: 'fulfilled', value: true },
      { status: 'rejected', reason: new Error('this one is bad') },
      { status: 'fulfilled', value: undefined },
      { status: 'fulfilled', value: true },
    ]);
    expect(written).toEqual([['a', 'bad', 'known', 'b'], ['a'], ['bad'], ['known'], ['b']]);
    await expect(gathered.add('bad')).rejects.toThrow('this one is bad');
    expect(await gathered.add('c')).toBe(true);
  });

  it('fails all when the database does, without retrying each, and continues when it is back', async () => {
    const gathered = writes();
    isDown = true;
    const all = await Promise.allSettled(['a', 'b', 'c'].map((item) => gathered.add(item)));
    expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(written).toEqual([['a', 'b', 'c']]);
    isDown = false;
    expect(await gathered.add('d')).toBe(true);
  });
});

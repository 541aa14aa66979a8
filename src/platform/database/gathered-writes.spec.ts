import { GatheredWrites } from './gathered-writes.js';

describe('GatheredWrites', () => {
  const written: string[][] = [];
  beforeEach(() => void written.splice(0));
  const writes = (most = 4) =>
    new GatheredWrites<string>(async (items) => {
      written.push([...items]);
      await new Promise((wake) => setTimeout(wake, 5));
      if (items.includes('bad')) throw new Error('this one is bad');
      return new Set(items.filter((item) => item !== 'known'));
    }, most);

  it('writes together what comes together, and then what came meanwhile, so many at once', async () => {
    const gathered = writes();
    const first = ['a', 'b', 'known'].map((item) => gathered.add(item));
    await new Promise((wake) => setTimeout(wake, 2));
    const later = ['c', 'd', 'e', 'f', 'g'].map((item) => gathered.add(item));
    expect(await Promise.all([...first, ...later])).toEqual([true, true, false, true, true, true, true, true]);
    expect(written).toEqual([['a', 'b', 'known'], ['c', 'd', 'e', 'f'], ['g']]);
    expect(await gathered.add('h')).toBe(true);
  });

  it('fails only the one that cannot be written, and goes on', async () => {
    const gathered = writes();
    const all = await Promise.allSettled(['a', 'bad', 'known', 'b'].map((item) => gathered.add(item)));
    expect(all).toEqual([
      { status: 'fulfilled', value: true },
      { status: 'rejected', reason: new Error('this one is bad') },
      { status: 'fulfilled', value: false },
      { status: 'fulfilled', value: true },
    ]);
    expect(written).toEqual([['a', 'bad', 'known', 'b'], ['a'], ['bad'], ['known'], ['b']]);
    await expect(gathered.add('bad')).rejects.toThrow('this one is bad');
    expect(await gathered.add('c')).toBe(true);
  });
});

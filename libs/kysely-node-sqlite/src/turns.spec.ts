import { jest } from '@jest/globals';
import { Turns } from './turns.js';

describe('turns', () => {
  it('pass over those who gave up waiting', async () => {
    const turns = new Turns<object>(1);
    const [first, impatient, last] = [{}, {}, {}];
    await turns.take(first);
    await expect(turns.take(impatient)).rejects.toMatchObject({ errcode: 5 });
    const taken = turns.take(last);
    turns.give(first);
    expect(turns.holder).toBe(last);
    await taken;
  });

  describe('of many', () => {
    beforeEach(() => void jest.useFakeTimers());
    afterEach(() => void jest.useRealTimers());

    it('reach everyone, as long as nobody keeps one for too long', async () => {
      const turns = new Turns<object>(100);
      const users = Array.from({ length: 5 }, () => ({}));
      const taken = users.map((user) => turns.take(user));
      for (const user of users) {
        await jest.advanceTimersByTimeAsync(80);
        turns.give(user);
      }
      await jest.runAllTimersAsync();
      await expect(Promise.all(taken)).resolves.toHaveLength(5);
      expect(turns.holder).toBeNull();
    });

    it('are given up by all who wait when one is kept for too long', async () => {
      const turns = new Turns<object>(100);
      const [first, second, third] = [{}, {}, {}];
      await turns.take(first);
      const taken = [second, third].map((user) => turns.take(user));
      const settled = Promise.allSettled(taken);
      await jest.advanceTimersByTimeAsync(80);
      turns.give(first);
      await jest.advanceTimersByTimeAsync(120);
      expect((await settled).map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
      expect(turns.holder).toBe(second);
    });
  });

  it('are given back only by those who have them', async () => {
    const turns = new Turns<object>(1);
    const [holder, other] = [{}, {}];
    await turns.take(holder);
    turns.give(other);
    expect(turns.holder).toBe(holder);
    turns.give(holder);
    expect(turns.holder).toBeNull();
  });
});

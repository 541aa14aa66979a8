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

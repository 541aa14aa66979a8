import { Turns } from './turns.js';

const NEVER = new AbortController().signal;

describe('turns', () => {
  /** Queues a turn for each name behind a running one, and returns the order of the turns. */
  async function orderOf(
    waiting: readonly [name: string, urgent: boolean, signal?: AbortSignal][],
    meanwhile = () => {},
  ) {
    const turns = new Turns();
    const end = await turns.take(false, NEVER);
    const order: string[] = [];
    const done = waiting.map(async ([name, urgent, signal = NEVER]) => {
      const endTurn = await turns
        .take(urgent, signal)
        .catch((error: unknown) => order.push(`${name}: ${String(error)}`));
      if (typeof endTurn === 'number') return;
      order.push(name);
      endTurn();
    });
    meanwhile();
    end();
    await Promise.all(done);
    return order;
  }

  it('come in the order of the calls, the urgent ones first', async () => {
    const order = await orderOf([
      ['a', false],
      ['b', true],
      ['c', false],
      ['d', true],
    ]);
    expect(order).toEqual(['b', 'd', 'a', 'c']);
  });

  it('are given up without harm to the others', async () => {
    const leaving = new AbortController();
    const order = await orderOf(
      [
        ['a', false, leaving.signal],
        ['b', false],
      ],
      () => leaving.abort('gone'),
    );
    expect(order.sort()).toEqual(['a: gone', 'b']);
  });

  it('are not waited for when nobody has one, nor given to who has left', async () => {
    const turns = new Turns();
    (await turns.take(false, NEVER))();
    (await turns.take(true, NEVER))();
    await expect(turns.take(true, AbortSignal.abort('gone'))).rejects.toBe('gone');
  });

  it('are one at a time', async () => {
    const turns = new Turns();
    let atWork = 0;
    let most = 0;
    const work = async (urgent: boolean) => {
      const end = await turns.take(urgent, NEVER);
      atWork += 1;
      most = Math.max(most, atWork);
      await Promise.resolve();
      atWork -= 1;
      end();
    };
    await Promise.all(Array.from({ length: 50 }, (_, number) => work(number % 3 === 0)));
    expect([most, atWork]).toEqual([1, 0]);
  });
});

import { setTimeout as sleep } from 'node:timers/promises';
import { EventQueue, type QueueLimits } from './event-queue.js';

describe('EventQueue', () => {
  const queueOf = (limits: QueueLimits) => {
    const [failed, dropped]: [unknown[], number[]] = [[], []];
    const reports = {
      isTemporary: (error: unknown) => error === notNow,
      onFailed: (error: unknown) => failed.push(error),
      onDropped: (count: number) => dropped.push(count),
    };
    return { queue: new EventQueue(limits, reports), failed, dropped };
  };
  const [notNow, no] = [new Error('not now'), new Error('no')];
  const QUICK = { closeWithinMs: 10, retryMs: 1 };
  const gate = () => Promise.withResolvers<void>();

  it('works on so many at once, in the order in which they came', async () => {
    const { queue } = queueOf({ ...QUICK, maxWaiting: 10, atOnce: 2 });
    const begun: number[] = [];
    const gates = [0, 1, 2, 3].map(gate);
    gates.forEach(({ promise }, index) =>
      queue.add(() => {
        begun.push(index);
        return promise;
      }),
    );
    expect(begun).toEqual([0, 1]);
    for (const { resolve } of gates) resolve();
    await queue.drained();
    expect(begun).toEqual([0, 1, 2, 3]);
  });

  it('drops what finds no room, and says once how much', async () => {
    const { queue, dropped } = queueOf({ ...QUICK, maxWaiting: 3, atOnce: 1 });
    const { promise, resolve } = gate();
    let done = 0;
    for (let n = 0; n < 10; n += 1) {
      queue.add(async () => {
        await promise;
        done += 1;
      });
    }
    resolve();
    await queue.drained();
    expect([done, dropped]).toEqual([4, [6]]);
  });

  it('continues after a failure', async () => {
    const { queue, failed } = queueOf({ ...QUICK, maxWaiting: 3, atOnce: 1 });
    let done = 0;
    queue.add(() => Promise.reject(new Error('no')));
    queue.add(async () => void (done += 1));
    await queue.drained();
    expect([done, failed]).toEqual([1, [new Error('no')]]);
  });

  it('tries again as long as a failure is temporary', async () => {
    const { queue, failed } = queueOf({ ...QUICK, maxWaiting: 3, atOnce: 1 });
    const outcomes = [notNow, notNow, null, notNow, no];
    const event = async () => {
      const outcome = outcomes.shift();
      if (outcome) throw outcome;
    };
    queue.add(event);
    queue.add(event);
    await queue.drained();
    expect([outcomes, failed]).toEqual([[], [no]]);
  });

  it('tries once more when it is closed', async () => {
    const { queue, failed } = queueOf({ ...QUICK, retryMs: 1_000_000, maxWaiting: 3, atOnce: 1 });
    let tries = 0;
    queue.add(async () => {
      tries += 1;
      throw notNow;
    });
    await new Promise(setImmediate);
    await queue.close();
    expect([tries, failed]).toEqual([2, [notNow]]);
  });

  it('delivers what waits when it is closed', async () => {
    const { queue, dropped } = queueOf({ ...QUICK, closeWithinMs: 60_000, maxWaiting: 30, atOnce: 2 });
    let done = 0;
    for (let n = 0; n < 20; n += 1)
      queue.add(async () => {
        await new Promise(setImmediate);
        done += 1;
      });
    await queue.close();
    expect([done, dropped]).toEqual([20, []]);
  });

  it('completes running work when it is closed, and drops what still waits after a while', async () => {
    const { queue, dropped } = queueOf({ ...QUICK, maxWaiting: 3, atOnce: 1 });
    const { promise, resolve } = gate();
    const done: string[] = [];
    queue.add(async () => {
      await promise;
      done.push('first');
    });
    queue.add(async () => void done.push('second'));
    const closed = queue.close();
    queue.add(async () => void done.push('late'));
    await sleep(50);
    resolve();
    await closed;
    expect([done, dropped]).toEqual([['first'], [2]]);
  });
});

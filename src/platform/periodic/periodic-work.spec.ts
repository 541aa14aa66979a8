import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { PeriodicWork } from './periodic-work.js';

class Counting extends PeriodicWork {
  ticks = 0;

  constructor() {
    super(1_000);
  }

  async tick(): Promise<void> {
    this.ticks += 1;
    if (this.ticks === 1) throw new Error('not today');
  }
}

class Slow extends PeriodicWork {
  readonly begun: PromiseWithResolvers<void>[] = [];

  constructor() {
    super(1_000);
  }

  tick(): Promise<void> {
    if (this.begun.length === 2) throw new Error('before its first await');
    const ending = Promise.withResolvers<void>();
    this.begun.push(ending);
    return ending.promise;
  }
}

describe('periodic work', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('is done from the start to the end of the service, also after it has failed', async () => {
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const work = new Counting();
    await jest.advanceTimersByTimeAsync(5_000);
    expect(work.ticks).toBe(0);
    await work.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(3_500);
    expect(work.ticks).toBe(3);
    expect(logged.mock.calls).toEqual([[new Error('not today')]]);
    await work.onApplicationShutdown();
    await jest.advanceTimersByTimeAsync(5_000);
    expect(work.ticks).toBe(3);
    logged.mockRestore();
  });

  it('is not begun again while it is still being done, and goes on when it throws', async () => {
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const work = new Slow();
    await work.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(5_500);
    expect(work.begun).toHaveLength(1);
    work.begun[0]?.resolve();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(work.begun).toHaveLength(2);
    work.begun[1]?.resolve();
    await jest.advanceTimersByTimeAsync(2_000);
    expect(logged.mock.calls).toEqual(Array.from({ length: 2 }, () => [new Error('before its first await')]));
    await work.onApplicationShutdown();
    logged.mockRestore();
  });
});

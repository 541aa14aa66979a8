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
});

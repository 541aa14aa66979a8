import { jest } from '@jest/globals';
import { startTimeLimit } from './time-limit.js';

describe('a time limit', () => {
  let reached = 0;
  beforeEach(() => {
    reached = 0;
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.restoreAllMocks();
    jest.useRealTimers();
  });
  const start = () => startTimeLimit(30_000, () => (reached += 1));
  const pauseBeforeEnd = (pausedMs: number) => {
    jest.advanceTimersByTime(29_999);
    const dueMs = performance.now() + 1;
    jest.spyOn(performance, 'now').mockReturnValue(dueMs + pausedMs);
    jest.advanceTimersByTime(1);
  };

  it('is reached once, when its time has passed', () => {
    start();
    jest.advanceTimersByTime(29_999);
    expect(reached).toBe(0);
    jest.advanceTimersByTime(1);
    expect(reached).toBe(1);
    jest.advanceTimersByTime(100_000);
    expect(reached).toBe(1);
  });

  it.each([
    [60_000, 0],
    [900, 1],
  ])('is extended once after a pause of the process: %d ms', (pausedMs, reachedAtOnce) => {
    start();
    pauseBeforeEnd(pausedMs);
    expect(reached).toBe(reachedAtOnce);
    jest.advanceTimersByTime(2_000);
    expect(reached).toBe(1);
  });

  it.each([false, true])('can be stopped, also after a pause (%s)', (isPaused) => {
    const stop = start();
    if (isPaused) pauseBeforeEnd(60_000);
    stop();
    expect(jest.getTimerCount()).toBe(0);
  });
});

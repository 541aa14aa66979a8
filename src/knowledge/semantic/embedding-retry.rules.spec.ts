import { retryDelayMs } from './embedding-retry.rules.js';

describe('the delay before the next try', () => {
  it.each([
    [1, 5_000],
    [2, 10_000],
    [3, 20_000],
    [20, 600_000],
  ])('after %d failures is %d ms', (failures, delayMs) => {
    expect(retryDelayMs(failures, undefined)).toBe(delayMs);
  });

  it('is the one that the server asks for, within bounds', () => {
    expect(retryDelayMs(9, 7)).toBe(7_000);
    expect(retryDelayMs(1, 0)).toBe(1_000);
    expect(retryDelayMs(1, 1e9)).toBe(3_600_000);
  });
});

import { waitAfterSeconds } from './failure-count.js';

describe('waitAfterSeconds', () => {
  it.each([
    [0, 0],
    [4, 0],
    [5, 5],
    [6, 10],
    [7, 20],
    [100, 900],
    [100_000, 900],
  ])('after %i failures: %i s', (failures, seconds) => {
    expect(waitAfterSeconds(failures, 5)).toBe(seconds);
  });
});

import { retryAfterMs } from './retry-after.rules.js';

const NOW = new Date('2026-03-01T12:00:00Z');

describe('the wait that a server asks for', () => {
  it.each<[string | undefined, number | null]>([
    [undefined, null],
    ['', null],
    ['soon', null],
    ['0', 0],
    ['77', 77_000],
    ['Sun, 01 Mar 2026 12:01:17 GMT', 77_000],
    ['Sun Mar  1 12:01:17 2026', 77_000],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
  ])('in %j', (header, ms) => {
    expect(retryAfterMs(header, NOW)).toBe(ms);
  });
});

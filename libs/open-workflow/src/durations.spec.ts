import { durationMs, msUntil } from './durations.js';
import type { Json } from './json.js';

describe('durationMs', () => {
  it.each<[Json, number]>([
    ['PT0S', 0],
    ['PT1.5S', 1500],
    ['PT1,5S', 1500],
    ['P1DT2H3M4S', 93_784_000],
    ['P2W', 1_209_600_000],
    ['P1Y1M', 34_128_000_000],
    [{ hours: 1, minutes: 2, seconds: 3, milliseconds: 4 }, 3_723_004],
    [{ days: 2 }, 172_800_000],
    [{}, 0],
    ['P999999999Y', 3_153_600_000_000],
  ])('reads %j', (duration, ms) => expect(durationMs(duration)).toBe(ms));

  it.each<[Json]>([
    ['P'],
    ['PT'],
    ['1h'],
    [''],
    ['PT-1S'],
    [5],
    [null],
    [[]],
    [{ hours: -1 }],
    [{ hours: '1' }],
    [{ fortnights: 1 }],
  ])('refuses %j', (duration) => expect(() => durationMs(duration)).toThrow(/is no duration/));
});

describe('msUntil', () => {
  const now = new Date('2026-12-24T07:00:00Z');

  it.each<[Json, number]>([
    ['2026-12-24T08:00:00Z', 3_600_000],
    ['2026-12-24T08:00+01:00', 0],
    ['2026-12-24t07:00:00.5z', 500],
    [' 2026-12-24T02:30:00-05:00 ', 1_800_000],
    ['2020-01-01T00:00:00Z', 0],
    ['2024-02-29T23:59:59-12:00', 0],
    ['9999-01-01T00:00:00Z', 3_153_600_000_000],
  ])('reads %j', (time, ms) => expect(msUntil(time)(now)).toBe(ms));

  it.each<[Json]>([
    ['2026-12-24'],
    ['2026-12-24T08:00:00'],
    ['2026-02-31T99:00:00Z'],
    ['2026-02-30T08:00:00Z'],
    ['2026-02-29t08:00:00+01:00'],
    ['tomorrow'],
    [1],
    [null],
  ])('refuses %j', (time) => expect(() => msUntil(time)).toThrow(/is no time. Write RFC 3339, with Z or an offset/));
});

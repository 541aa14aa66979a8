import { momentOf } from './moment.rules.js';

describe('a day or a time', () => {
  it.each([
    ['2026-11-21', '2026-11-21T00:00:00.000Z'],
    ['2026-11-21T10:15', '2026-11-21T10:15:00.000Z'],
    ['2026-11-21 10:15:00', '2026-11-21T10:15:00.000Z'],
    ['2026-11-21T10:15:30.5', '2026-11-21T10:15:30.500Z'],
    ['2026-11-21T10:15Z', '2026-11-21T10:15:00.000Z'],
    ['2026-11-21T10:15:00+02:00', '2026-11-21T08:15:00.000Z'],
    ['2026-11-21T10:15:00-0530', '2026-11-21T15:45:00.000Z'],
  ])('is read, in UTC unless it says otherwise, wherever the service runs: %s', (written, expected) => {
    expect(momentOf(written)?.toISOString()).toBe(expected);
  });

  it.each([
    '2026-W47',
    '2026-11-21  10:15',
    '20261121',
    '2026-325',
    '2026-02-30',
    '2026-13-01',
    '2026-11-21T25:00',
    'yesterday',
    '2026',
    '',
  ])('is not there: %j', (written) => {
    expect(momentOf(written)).toBeNull();
  });
});

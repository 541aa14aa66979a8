import { durationText } from './duration';

const from = '2026-01-01T00:00:00.000Z';
const later = (ms: number) => new Date(Date.parse(from) + ms);

describe('durationText', () => {
  it.each([
    [40, '40 ms'],
    [1_540, '1.5 s'],
    [180_000, '3 min'],
    [7_200_000, '2 h'],
  ])('of %d ms is %s', (ms, text) => {
    expect(durationText({ startedAt: from, endedAt: later(ms).toISOString() }, later(0))).toBe(text);
    expect(durationText({ startedAt: from, endedAt: null }, later(ms))).toBe(text);
  });

  it('is empty before the beginning', () => {
    expect(durationText({ startedAt: null, endedAt: null }, later(0))).toBe('');
  });
});

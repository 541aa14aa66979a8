import { countOf, formatAgo, formatBytes, formatDuration, formatMs, formatTook, formatUntil } from './format';

describe('formatAgo', () => {
  const now = new Date('2026-01-02T12:00:00Z');
  it.each([
    ['2026-01-02T11:59:55Z', 'just now'],
    ['2026-01-02T11:59:15Z', '45 seconds ago'],
    ['2026-01-02T11:57:01Z', '2 minutes ago'],
    ['2026-01-01T11:00:00Z', 'yesterday'],
    ['2026-01-02T12:00:09Z', 'just now'],
  ])('%s is %s', (at, text) => {
    expect(formatAgo(new Date(at), now)).toBe(text);
  });
});

describe('formatUntil', () => {
  const now = new Date('2026-01-02T12:00:00Z');
  it.each([
    ['2026-01-02T11:59:55Z', 'now'],
    ['2026-01-02T12:00:45Z', 'in 45 seconds'],
    ['2026-01-02T12:29:59Z', 'in 30 minutes'],
    ['2026-01-03T12:00:00Z', 'tomorrow'],
  ])('%s is %s', (at, text) => {
    expect(formatUntil(new Date(at), now)).toBe(text);
  });
});

describe('formatDuration', () => {
  it.each([
    [1, '1 second'],
    [60, '1 minute'],
    [86_400, '1 day'],
    [183_600, '2 days 3 hours'],
    [90, '1 minute'],
  ])('%d s are %s', (seconds, text) => {
    expect(formatDuration(seconds)).toBe(text);
  });
});

describe('formatMs', () => {
  it.each([
    [0.42, '0.4 ms'],
    [12.3, '12 ms'],
    [1540, '1.5 s'],
  ])('%d ms are %s', (ms, text) => {
    expect(formatMs(ms)).toBe(text);
  });
});

describe('formatBytes', () => {
  it.each([
    [1, '1 byte'],
    [1023, '1,023 bytes'],
    [1536, '1.5 KB'],
    [16 * 1024 * 1024, '16 MB'],
  ])('%d is %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });
});

describe('countOf', () => {
  it('knows singular and plural', () => {
    expect([countOf(1, 'call'), countOf(1200, 'call')]).toEqual(['1 call', '1,200 calls']);
  });
});

describe('formatTook', () => {
  it.each([
    [40, '40 ms'],
    [1540, '1.5 s'],
    [7_500_000, '2 hours 5 minutes'],
  ])('formats %d ms as %s', (ms, text) => expect(formatTook(ms)).toBe(text));
});

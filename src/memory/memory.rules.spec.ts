import { contentHash, memoryScore } from './memory.rules.js';

const now = new Date('2026-06-01T00:00:00Z');
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
const entry = (importance: number, days: number) => ({ importance, updatedAt: daysAgo(days) });

describe('memoryScore', () => {
  it('is between 0 and 1', () => {
    expect(memoryScore(1, entry(5, 0), now)).toBeCloseTo(1);
    expect(memoryScore(0, entry(1, 100_000), now)).toBeCloseTo(0);
  });

  it.each([
    ['a better fit', memoryScore(1, entry(3, 10), now), memoryScore(0.5, entry(3, 10), now)],
    ['more importance', memoryScore(1, entry(4, 10), now), memoryScore(1, entry(3, 10), now)],
    ['a later date', memoryScore(1, entry(3, 10), now), memoryScore(1, entry(3, 40), now)],
    ['a fit rather than importance', memoryScore(1, entry(3, 30), now), memoryScore(0.5, entry(5, 30), now)],
  ])('prefers %s', (_what, better, worse) => {
    expect(better).toBeGreaterThan(worse);
  });

  it('treats an entry from the future like a new one', () => {
    expect(memoryScore(1, entry(3, -5), now)).toBe(memoryScore(1, entry(3, 0), now));
  });
});

describe('contentHash', () => {
  it('ignores case, punctuation and white space', () => {
    expect(contentHash('Deploys: on  Friday!')).toBe(contentHash('deploys on\nfriday'));
    expect(contentHash('!!')).not.toBe(contentHash('??'));
  });
});

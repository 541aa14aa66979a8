import type { MemoryEntry } from './memory-entry.js';
import { contentHash, memoryScore, twinAdvice } from './memory.rules.js';

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
  it('ignores white space', () => {
    expect(contentHash(' Deploys: on  Friday!\n')).toBe(contentHash('Deploys: on\nFriday!'));
  });

  it.each([
    ['-5 hours', '5 hours'],
    ['Ask Ann.', 'ask ann'],
    ['!!', '??'],
    ['10:30', '10.30'],
  ])('takes %j and %j for two texts', (one, other) => {
    expect(contentHash(one)).not.toBe(contentHash(other));
  });
});

describe('twinAdvice', () => {
  const remembered = (change: Partial<MemoryEntry>): MemoryEntry => ({
    ...{
      namespace: 'shared',
      key: 'k',
      content: 'x',
      tags: [],
      importance: 3,
      client: 'ide',
      program: null,
      version: 1,
    },
    ...{ createdAt: now, updatedAt: now, expiresAt: null },
    ...change,
  });
  const forEver = remembered({ key: 'for-ever', importance: 1, tags: ['a'] });
  const forNow = remembered({ key: 'for-now', importance: 5, tags: ['b', 'a'], expiresAt: now });

  it.each([
    ['the one that never expires', forEver, forNow, 'for-ever'],
    ['the one that never expires, in either order', forNow, forEver, 'for-ever'],
    ['the later one', { ...forNow, key: 'later', expiresAt: daysAgo(-1) }, forNow, 'later'],
    ['the more important one', forEver, { ...forEver, key: 'vital', importance: 4 }, 'vital'],
    ['the first of equals', forEver, { ...forEver, key: 'other' }, 'for-ever'],
  ])('keeps %s', (_what, one, other, kept) => {
    const { keep, remove } = twinAdvice(one, other);
    expect([keep.key, new Set([keep, remove])]).toEqual([kept, new Set([one, other])]);
  });

  it('loses neither importance nor tags', () => {
    expect(twinAdvice(forEver, forNow)).toMatchObject({ importance: 5, tags: ['a', 'b'] });
    expect(twinAdvice(forNow, forEver)).toMatchObject({ importance: 5, tags: ['a', 'b'] });
  });
});

import { type FailedTry, nextTry, patienceOf } from './retry.rules.js';

const failed = (more: Partial<FailedTry> = {}): FailedTry => ({
  remedy: 'again',
  retryAfterMs: undefined,
  tries: 1,
  leftMs: 30_000,
  hasFallback: false,
  ...more,
});

describe('after a request to a model has failed', () => {
  it.each<[string, Partial<FailedTry>, object]>([
    ['it is sent again soon', {}, { kind: 'wait', delayMs: 500 }],
    ['it is sent again later each time', { tries: 3 }, { kind: 'wait', delayMs: 2_000 }],
    ['the API says when', { retryAfterMs: 20_000 }, { kind: 'wait', delayMs: 20_000 }],
    ['never at once', { retryAfterMs: 0 }, { kind: 'wait', delayMs: 50 }],
    ['not when that is too late', { retryAfterMs: 29_501 }, { kind: 'give_up' }],
    ['not for ever', { tries: 5 }, { kind: 'give_up' }],
    ['not when it will fail everywhere', { remedy: null, hasFallback: true }, { kind: 'give_up' }],
    ['not when it will fail again', { remedy: 'elsewhere' }, { kind: 'give_up' }],
    ['only elsewhere when it will fail again', { remedy: 'elsewhere', hasFallback: true }, { kind: 'fallback' }],
    ['not when no time is left', { leftMs: 0, hasFallback: true }, { kind: 'give_up' }],
    ['once more before another stands in', { hasFallback: true }, { kind: 'wait', delayMs: 500 }],
    ['not twice more then', { hasFallback: true, tries: 2 }, { kind: 'fallback' }],
    ['not when most of the time would pass', { hasFallback: true, retryAfterMs: 7_501 }, { kind: 'fallback' }],
  ])('%s', (_title, more, next) => {
    expect(nextTry(failed(more))).toEqual(next);
  });

  it('a model may be silent for half of the time when another could answer, else until the call is stopped', () => {
    expect(patienceOf(30_000, true)).toBe(15_000);
    expect(patienceOf(30_000, false)).toBeGreaterThan(30_000);
  });
});

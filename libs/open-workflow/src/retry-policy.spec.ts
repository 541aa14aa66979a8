import { retryDelayMs, type RetryRules } from './retry-policy.js';

describe('the delay before an attempt', () => {
  const rules: RetryRules = {
    delayMs: 0,
    backoff: 'exponential',
    retries: Infinity,
    durationMs: Infinity,
    jitterMs: { from: 0, to: 0 },
  };

  it.each([1, 2, 1024, 1025, 100_000])('is a time after %d attempts, also without a delay of its own', (attempt) => {
    const failed = { attempt, elapsedMs: 0, leastMs: 0 };
    expect(retryDelayMs(rules, failed)).toBe(0);
    expect(retryDelayMs(rules, { ...failed, leastMs: 5_000 })).toBe(5_000);
    expect(retryDelayMs({ ...rules, delayMs: 1_000 }, failed)).toBe(
      Math.min(1_000 * 2 ** (attempt - 1), 365 * 86_400_000),
    );
  });
});

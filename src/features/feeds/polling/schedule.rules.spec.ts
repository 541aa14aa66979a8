import type { Feed } from '../store/feed.js';
import { newFeed } from '../testing.js';
import { planNextPoll, type PollOutcome } from './schedule.rules.js';

const now = new Date('2026-11-21T10:00:00Z');
const succeeded = (change: Partial<Extract<PollOutcome, { kind: 'succeeded' }>> = {}): PollOutcome => ({
  kind: 'succeeded',
  publishedIntervalMinutes: null,
  maxAgeMs: null,
  ...change,
});
const failed: PollOutcome = { kind: 'failed', error: 'HTTP 500' };
const deferred = (retryAfterMs: number | null): PollOutcome => ({ kind: 'deferred', retryAfterMs, error: 'HTTP 429' });
const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

function waitMinutes(
  outcome: PollOutcome,
  feed: Partial<Feed> = {},
  random = 0,
  defaultIntervalMinutes = 30,
): number | null {
  const plan = planNextPoll(newFeed(feed), outcome, { now, random, defaultIntervalMinutes });
  return plan.nextPollAt && (plan.nextPollAt.getTime() - now.getTime()) / MINUTE;
}

it.each<[string, PollOutcome, Partial<Feed>, number | null]>([
  ['by default', succeeded(), {}, 30],
  [
    'at the interval set by an administrator',
    succeeded({ publishedIntervalMinutes: 60, maxAgeMs: DAY }),
    { intervalMinutes: 10 },
    10,
  ],
  ['at the interval of the publisher', succeeded({ publishedIntervalMinutes: 120 }), {}, 120],
  [
    'at the interval of the publisher, even if it is shorter than the default',
    succeeded({ publishedIntervalMinutes: 15 }),
    {},
    15,
  ],
  ['at most every 5 minutes', succeeded({ publishedIntervalMinutes: 1 }), {}, 5],
  ['at least daily', succeeded({ publishedIntervalMinutes: 43_200 }), {}, 1440],
  ['not before the cached document expires', succeeded({ maxAgeMs: 2 * HOUR }), {}, 120],
  ['not more often when the document is cached for a short time only', succeeded({ maxAgeMs: MINUTE }), {}, 30],
  ['at least daily, however long the document is cached', succeeded({ maxAgeMs: 365 * DAY }), {}, 1440],
  ['never again when it is gone', { kind: 'gone', error: 'HTTP 410' }, {}, null],
  ['when the server wants it', deferred(2 * HOUR), {}, 120],
  ['not at once, even if the server allows it', deferred(1000), {}, 5],
  ['within a week, however long the server wants to wait', deferred(365 * DAY), {}, 7 * 1440],
  ['as after a failure when the server gives no time', deferred(null), {}, 22.5],
  ['sooner after the first failure', failed, {}, 22.5],
  ['after twice the time after the second failure', failed, { failures: 1 }, 45],
  ['after the published interval', failed, { publishedIntervalMinutes: 60, failures: 1 }, 90],
  ['at least daily after many failures', failed, { failures: 500 }, 1440],
])('fetches %s', (_title, outcome, feed, minutes) => {
  expect(waitMinutes(outcome, feed)).toBe(minutes);
});

it('fetches no sooner than by default because the document is cached longer', () => {
  expect(waitMinutes(succeeded({ maxAgeMs: 3 * DAY }), {}, 0, 2 * 1440)).toBe(2 * 1440);
});

it('spreads fetches that would fall together', () => {
  expect([waitMinutes(succeeded(), {}, 1), waitMinutes(failed, {}, 1), waitMinutes(deferred(HOUR), {}, 1)]).toEqual([
    33, 37.5, 61,
  ]);
});

it('counts failures in succession', () => {
  const circumstances = { now, random: 0, defaultIntervalMinutes: 30 };
  const failing = planNextPoll(newFeed({ failures: 2 }), failed, circumstances);
  expect(failing).toMatchObject({ failures: 3, lastError: 'HTTP 500', isGone: false });
  expect(planNextPoll(newFeed(failing), succeeded(), circumstances)).toMatchObject({ failures: 0, lastError: null });
});

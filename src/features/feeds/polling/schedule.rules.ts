import type { Feed } from '../store/feed.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Shortest interval, also for a publisher that declares less. */
const SHORTEST_MS = 5 * MINUTE_MS;
/** Longest interval, unless the default is longer. */
const LONGEST_MS = DAY_MS;
const LONGEST_RETRY_AFTER_MS = 7 * DAY_MS;

export type PollOutcome =
  /** The server sent a document, or answered that it has not changed. */
  | { kind: 'succeeded'; publishedIntervalMinutes: number | null; maxAgeMs: number | null }
  /** The publisher ended the feed. */
  | { kind: 'gone'; error: string }
  /** The server asks to come back later; null = without a time. */
  | { kind: 'deferred'; retryAfterMs: number | null; error: string }
  | { kind: 'failed'; error: string };

export type PollPlan = Pick<Feed, 'failures' | 'lastError' | 'isGone' | 'nextPollAt'>;

export interface PollCircumstances {
  now: Date;
  /** From 0 to 1; spreads feeds that were added together over time. */
  random: number;
  defaultIntervalMinutes: number;
}

/** Decides when to fetch the feed next, and what to record about the last fetch. */
export function planNextPoll(
  feed: Pick<Feed, 'failures' | 'intervalMinutes' | 'publishedIntervalMinutes'>,
  outcome: PollOutcome,
  circumstances: PollCircumstances,
): PollPlan {
  const { now, random, defaultIntervalMinutes } = circumstances;
  const inMs = (ms: number) => new Date(now.getTime() + Math.round(ms));
  switch (outcome.kind) {
    case 'succeeded': {
      const intervalMs = intervalOf({ ...feed, ...outcome }, defaultIntervalMinutes);
      return { failures: 0, lastError: null, isGone: false, nextPollAt: inMs(intervalMs * (1 + random * 0.1)) };
    }
    case 'gone':
      return { failures: feed.failures + 1, lastError: outcome.error, isGone: true, nextPollAt: null };
    case 'deferred':
    case 'failed': {
      const intervalMs = intervalOf({ ...feed, maxAgeMs: null }, defaultIntervalMinutes);
      const retryAfterMs = outcome.kind === 'deferred' ? outcome.retryAfterMs : null;
      const waitMs =
        retryAfterMs === null ? backoffMs(intervalMs, feed.failures, random) : retryAfter(retryAfterMs, random);
      return { failures: feed.failures + 1, lastError: outcome.error, isGone: false, nextPollAt: inMs(waitMs) };
    }
  }
}

interface Wishes extends Pick<Feed, 'intervalMinutes' | 'publishedIntervalMinutes'> {
  maxAgeMs: number | null;
}

/**
 * Returns the interval in milliseconds: the administrator's unchanged; otherwise the publisher's within bounds, or the default,
 * and not before the cached document expires.
 */
function intervalOf({ intervalMinutes, publishedIntervalMinutes, maxAgeMs }: Wishes, defaultMinutes: number): number {
  if (intervalMinutes !== null) return intervalMinutes * MINUTE_MS;
  const defaultMs = defaultMinutes * MINUTE_MS;
  const wantedMs =
    publishedIntervalMinutes === null ? defaultMs : Math.max(publishedIntervalMinutes * MINUTE_MS, SHORTEST_MS);
  return Math.min(Math.max(wantedMs, maxAgeMs ?? 0), Math.max(LONGEST_MS, defaultMs));
}

function backoffMs(intervalMs: number, failures: number, random: number): number {
  const doubled = Math.max(intervalMs, SHORTEST_MS) * 2 ** Math.min(failures, 20);
  return Math.min(doubled * (0.75 + random * 0.5), LONGEST_MS);
}

function retryAfter(retryAfterMs: number, random: number): number {
  return Math.min(Math.max(retryAfterMs, SHORTEST_MS), LONGEST_RETRY_AFTER_MS) + random * MINUTE_MS;
}

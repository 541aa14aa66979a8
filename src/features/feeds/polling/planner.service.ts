import { Injectable } from '@nestjs/common';
import { SettingsService } from '../../../platform/config/settings.service.js';
import type { Feed } from '../store/feed.js';
import { planNextPoll, type PollOutcome, type PollPlan } from './schedule.rules.js';

/** Provides the time and random numbers; tests replace it. */
@Injectable()
export class FeedClock {
  now(): Date {
    return new Date();
  }

  /** Returns a random number from 0 up to, but not including, 1. */
  random(): number {
    return Math.random();
  }
}

const MINUTE_MS = 60_000;
/** The first fetches of new feeds are spread over this time. */
const SPREAD_MS = 2 * MINUTE_MS;

/** After this time, the process that claimed a feed is considered dead, and the feed is due again. */
const LEASE_MS = 5 * MINUTE_MS;

/** Decides when feeds are fetched. */
@Injectable()
export class FeedPlanner {
  constructor(
    private readonly settings: SettingsService,
    private readonly clock: FeedClock,
  ) {}

  now(): Date {
    return this.clock.now();
  }

  afterFetch(feed: Feed, outcome: PollOutcome, now: Date): PollPlan {
    const defaultIntervalMinutes = this.settings.get('rss.poll_interval_minutes');
    return planNextPoll(feed, outcome, { now, random: this.clock.random(), defaultIntervalMinutes });
  }

  /** Returns the end of the lease of a feed that is being fetched. */
  leaseUntil(now: Date): Date {
    return new Date(now.getTime() + LEASE_MS);
  }

  /** Returns when to fetch a new feed for the first time. */
  first(now: Date): Date {
    return new Date(now.getTime() + Math.round(this.clock.random() * SPREAD_MS));
  }

  /** Returns when to fetch a feed whose interval was changed or whose pause ended; null = never, because it is gone. */
  afterDecision(feed: Feed, now: Date): Date | null {
    if (feed.isGone) return null;
    const intervalMs = (feed.intervalMinutes ?? this.settings.get('rss.poll_interval_minutes')) * MINUTE_MS;
    const lastMs = feed.lastFetchedAt?.getTime() ?? 0;
    return new Date(Math.max(now.getTime(), lastMs + intervalMs));
  }
}

import { Injectable } from '@nestjs/common';
import { SettingsService } from '../../config/settings.service.js';
import { FeedClock } from './clock.service.js';
import { planNextPoll, type PollOutcome, type PollPlan } from './schedule.rules.js';
import type { Feed } from '../feed.js';

const MINUTE_MS = 60_000;
/** The first fetches of many new feeds are spread over this time. */
const SPREAD_MS = 2 * MINUTE_MS;

/** After this, the process that took a feed to fetch it is thought to be gone. */
const LEASE_MS = 5 * MINUTE_MS;

/** When feeds are fetched. */
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

  /** For a feed that is being fetched now. */
  leaseUntil(now: Date): Date {
    return new Date(now.getTime() + LEASE_MS);
  }

  /** For a feed that was never fetched. */
  first(now: Date): Date {
    return new Date(now.getTime() + Math.round(this.clock.random() * SPREAD_MS));
  }

  /** For a feed whose interval was changed, or that goes on after a pause. */
  afterDecision(feed: Feed, now: Date): Date | null {
    if (feed.isGone) return null;
    const intervalMs = (feed.intervalMinutes ?? this.settings.get('rss.poll_interval_minutes')) * MINUTE_MS;
    const lastMs = feed.lastFetchedAt?.getTime() ?? 0;
    return new Date(Math.max(now.getTime(), lastMs + intervalMs));
  }
}

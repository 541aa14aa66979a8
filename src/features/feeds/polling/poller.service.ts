import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { SettingsService } from '../../../platform/config/settings.service.js';
import { inParts } from '../../../platform/periodic/in-parts.js';
import { PeriodicWork } from '../../../platform/periodic/periodic-work.js';
import { FeedItemStore } from '../store/feed-item.store.js';
import type { Feed } from '../store/feed.js';
import { FeedStore } from '../store/feed.store.js';
import { FeedPlanner } from './planner.service.js';
import { FeedRefresher } from './refresher.service.js';

const EVERY_MS = 15_000;
const FETCHES_AT_ONCE = 4;
const FEEDS_PER_TICK = 200;
const PRUNE_EVERY_MS = 3_600_000;
const PRUNED_AT_ONCE = 200;
const DAY_MS = 86_400_000;
/** A fetch further ahead was not by another replica, but by a clock that has been set back since. */
const LARGEST_SKEW_MS = 3_600_000;

/** Fetches feeds when they are due, and deletes old items. */
@Injectable()
export class FeedPoller extends PeriodicWork implements BeforeApplicationShutdown {
  private readonly stopping = new AbortController();
  private ticking: Promise<void> | null = null;
  private prunedAt = 0;
  private workedAtMs = Infinity;

  constructor(
    private readonly feeds: FeedStore,
    private readonly items: FeedItemStore,
    private readonly refresher: FeedRefresher,
    private readonly settings: SettingsService,
    private readonly planner: FeedPlanner,
  ) {
    super(EVERY_MS);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.onApplicationShutdown();
    this.stopping.abort();
    await this.ticking?.catch(() => undefined);
  }

  /**
   * Fetches the feeds that are due, and resolves when that is done. A call during a running tick waits for that tick.
   */
  tick(now: Date): Promise<void> {
    this.ticking ??= this.work(now).finally(() => (this.ticking = null));
    return this.ticking;
  }

  private async work(now: Date): Promise<void> {
    if (now.getTime() < this.workedAtMs) await this.followClock(now);
    this.workedAtMs = now.getTime();
    const due = await this.feeds.listDue(now, FEEDS_PER_TICK);
    const worker = async () => {
      for (let feed = due.shift(); feed && !this.stopping.signal.aborted; feed = due.shift()) await this.poll(feed);
    };
    await Promise.all(Array.from({ length: FETCHES_AT_ONCE }, worker));
    if (now.getTime() - this.prunedAt < PRUNE_EVERY_MS) return;
    this.prunedAt = now.getTime();
    const before = new Date(now.getTime() - this.settings.get('rss.retention_days') * DAY_MS);
    const { signal } = this.stopping;
    await inParts(PRUNED_AT_ONCE, async (limit) => (signal.aborted ? 0 : this.items.prune(before, limit)));
  }

  /** Called at the start, and when the clock was set back: what was planned while it was ahead would come much too late. */
  private async followClock(now: Date): Promise<void> {
    this.prunedAt = 0;
    await this.feeds.makeDueIfFetchedAfter(new Date(now.getTime() + LARGEST_SKEW_MS), now);
  }

  // A failure of one feed must not stop the others.
  private async poll(feed: Feed): Promise<void> {
    const now = this.planner.now(); // a feed may wait long for those before it
    try {
      if (!(await this.feeds.claim(feed, this.planner.leaseUntil(now)))) return;
      await this.refresher.refresh(feed, now, this.stopping.signal);
    } catch (error) {
      if (!this.stopping.signal.aborted) this.logger.error(`feed ${feed.id} could not be refreshed: ${String(error)}`);
    }
  }
}

import { SettingsService } from '../../src/platform/config/settings.service.js';
import { settingsOn } from '../../src/platform/config/testing.js';
import type { Database } from '../../src/platform/database/database.js';
import { memoryDatabase } from '../../src/platform/database/testing.js';
import { recordedEvents } from '../../src/platform/events/testing.js';
import { FeedItemStore } from '../../src/features/feeds/store/feed-item.store.js';
import { FeedStore } from '../../src/features/feeds/store/feed.store.js';
import { FeedsService } from '../../src/features/feeds/feeds.service.js';
import { FeedFetcher } from '../../src/features/feeds/polling/fetcher.service.js';
import { FeedClock, FeedPlanner } from '../../src/features/feeds/polling/planner.service.js';
import { FeedPoller } from '../../src/features/feeds/polling/poller.service.js';
import { FeedIntake, FeedRefresher } from '../../src/features/feeds/polling/refresher.service.js';
import type { FeedReader } from '../../src/features/feeds/reading/reader.service.js';
import { FeedSubscriptions } from '../../src/features/feeds/subscribing/subscriptions.service.js';
import { HostResolver } from '../../src/platform/outgoing-http/host-resolver.service.js';
import { OutgoingHttp, type OutgoingRequest } from '../../src/platform/outgoing-http/outgoing-http.service.js';

/** Has a shorter timeout than the service. */
class ImpatientHttp extends OutgoingHttp {
  timeoutMs = 10_000;

  override fetch(url: string, options: OutgoingRequest) {
    return super.fetch(url, { ...options, timeoutMs: this.timeoutMs });
  }
}

class SetClock extends FeedClock {
  constructor(public time: Date) {
    super();
  }

  override now(): Date {
    return this.time;
  }

  override random(): number {
    return 0;
  }
}

const START = new Date('2026-11-21T12:00:00Z');

/** The feeds feature of a service that may connect to loopback, with a fake clock. */
export class FeedWorld {
  readonly recorded = recordedEvents();
  readonly clock = new SetClock(START);
  readonly store: FeedStore;
  readonly items: FeedItemStore;
  readonly feeds: FeedsService;
  readonly refresher: FeedRefresher;
  readonly subscriptions: FeedSubscriptions;
  readonly poller: FeedPoller;
  readonly http: ImpatientHttp;

  private constructor(
    readonly database: Database,
    reader: FeedReader,
    settings: SettingsService,
  ) {
    const { events } = this.recorded;
    this.store = new FeedStore(database);
    this.items = new FeedItemStore(database);
    this.http = new ImpatientHttp(settings, new HostResolver());
    const fetcher = new FeedFetcher(this.http, reader, this.items);
    const planner = new FeedPlanner(settings, this.clock);
    this.refresher = new FeedRefresher(fetcher, planner, new FeedIntake(this.items), this.store, events);
    this.feeds = new FeedsService(this.store, this.items, this.refresher, planner, events);
    this.subscriptions = new FeedSubscriptions(this.store, fetcher, planner, this.refresher, events);
    this.poller = new FeedPoller(this.store, this.items, this.refresher, settings, planner);
  }

  /** Opens a world on a new database, or as another replica on an existing one. */
  static async open(reader: FeedReader, given?: Database): Promise<FeedWorld> {
    const database = given ?? (await memoryDatabase());
    const settings = await settingsOn({ database, env: { HTTP_ALLOWED_HOSTS: '127.0.0.1' } });
    return new FeedWorld(database, reader, settings);
  }

  async subscribe(url: string): Promise<string> {
    return (await this.subscriptions.subscribe(url, new AbortController().signal)).feed.id;
  }

  /** Advances the clock, and runs what is due. */
  async after(minutes: number): Promise<void> {
    this.clock.time = new Date(this.clock.time.getTime() + minutes * 60_000);
    await this.poller.tick(this.clock.time);
  }

  refresh(id: string) {
    return this.feeds.refresh(id, new AbortController().signal);
  }

  async minutesToNext(id: string): Promise<number | null> {
    const { nextPollAt } = await this.feeds.get(id);
    return nextPollAt && (nextPollAt.getTime() - this.clock.time.getTime()) / 60_000;
  }

  async titles(feed?: string): Promise<string[]> {
    return (await this.feeds.listItems({ feed, limit: 200 })).items.map(({ title }) => title);
  }
}

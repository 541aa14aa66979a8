import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { EventBus } from '../../../platform/events/event-bus.service.js';
import { GuardedThread, ThreadOwner } from '../../../platform/threads/guarded-thread.js';
import { JobAborted } from '../../../platform/threads/threads.errors.js';
import { toFeedUrl } from '../store/feed-url.rules.js';
import { UNFETCHED } from '../store/feed.js';
import { FeedStore, type NewFeed } from '../store/feed.store.js';
import { FeedNotReadable, InvalidOpml } from '../store/feeds.errors.js';
import { FeedPlanner } from '../polling/planner.service.js';
import { feedIds } from '../reading/identity.rules.js';
import type { OpmlEntry } from './opml.rules.js';
import type { OpmlJobs } from './opml.worker.js';

/** The thread that reads OPML documents. */
export const OPML_READER = { name: 'opml-reader', entry: 'features/feeds/subscribing/opml.worker', heapMegabytes: 192 };

/** Reads OPML documents in a separate thread, so that they and feeds do not wait for each other. */
@Injectable()
export class OpmlReader extends ThreadOwner {
  protected readonly thread = new GuardedThread<OpmlJobs>(OPML_READER);

  /** Returns the feeds that the document lists. @throws InvalidOpml, ThreadStopped */
  async read(opml: string): Promise<OpmlEntry[]> {
    const reading = await this.thread.run('readOpml', opml).catch((error: unknown) => {
      throw error instanceof JobAborted ? new InvalidOpml(error.reason) : error;
    });
    if (reading.kind === 'invalid') throw new InvalidOpml(reading.reason);
    return reading.entries;
  }
}

export interface OpmlImport {
  /** Ids of the new feeds. */
  added: string[];
  /** Number of feeds that were already subscribed to. */
  existing: number;
  /** The feeds that could not be added, with the reason. */
  refused: { url: string; reason: string }[];
}

/** Feeds per transaction; other work can run in between. */
const AT_ONCE = 100;
const SHOWN_URL = 200;

@Injectable()
export class FeedImport {
  constructor(
    private readonly store: FeedStore,
    private readonly planner: FeedPlanner,
    private readonly reader: OpmlReader,
    private readonly events: EventBus,
  ) {}

  /**
   * Subscribes to every feed of the document; the feeds are fetched within minutes.
   * @throws InvalidOpml, ThreadStopped
   */
  async importOpml(opml: string): Promise<OpmlImport> {
    const result: OpmlImport = { added: [], existing: 0, refused: [] };
    const entries = await this.reader.read(opml);
    const now = this.planner.now();
    try {
      for (let start = 0; start < entries.length; start += AT_ONCE) {
        await this.importSome(entries.slice(start, start + AT_ONCE), now, result);
        await nextTurn();
      }
    } finally {
      // Also when the database fails: a repeated import finds these feeds added already.
      if (result.added.length > 0) this.events.emit('feeds.changed', { added: result.added });
    }
    return result;
  }

  private async importSome(entries: readonly OpmlEntry[], now: Date, result: OpmlImport): Promise<void> {
    const feeds: NewFeed[] = [];
    for (const entry of entries) {
      const outcome = this.toNewFeed(entry, now);
      if ('reason' in outcome) result.refused.push(outcome);
      else feeds.push(outcome);
    }
    const added = await this.store.createAll(feeds);
    result.added.push(...added);
    result.existing += feeds.length - added.length;
  }

  private toNewFeed(
    { url: given, title, siteUrl, folders }: OpmlEntry,
    now: Date,
  ): NewFeed | OpmlImport['refused'][number] {
    try {
      const url = toFeedUrl(given);
      const first = { url, publishedTitle: title, siteUrl, folders, nextPollAt: this.planner.first(now) };
      return { ...UNFETCHED, ...first, ids: [...feedIds(title, url)], createdAt: now };
    } catch (error) {
      if (!(error instanceof FeedNotReadable)) throw error;
      return { url: given.slice(0, SHOWN_URL).toWellFormed(), reason: error.message };
    }
  }
}

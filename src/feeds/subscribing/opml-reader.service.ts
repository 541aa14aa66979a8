import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { GuardedThread } from '../../threads/guarded-thread.js';
import { JobGivenUp } from '../../threads/threads.errors.js';
import { InvalidOpml } from '../feeds.errors.js';
import type { FeedJobs } from '../feeds.worker.js';
import type { OpmlEntry } from './opml.rules.js';

/** The thread that reads OPML documents. */
export const OPML_READER = { name: 'opml-reader', entry: 'feeds/feeds.worker', heapMegabytes: 192 };

/** Reads OPML documents in a separate thread, so that neither these nor feeds wait for each other. */
@Injectable()
export class OpmlReader implements BeforeApplicationShutdown {
  protected readonly thread = new GuardedThread<FeedJobs>(OPML_READER);

  /** Returns the feeds that the document lists. @throws InvalidOpml, ThreadStopped */
  async read(opml: string): Promise<OpmlEntry[]> {
    const reading = await this.thread.run('readOpml', opml).catch((error: unknown) => {
      throw error instanceof JobGivenUp ? new InvalidOpml(error.reason) : error;
    });
    if (reading.kind === 'invalid') throw new InvalidOpml(reading.reason);
    return reading.entries;
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.thread.stop();
  }
}

import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { GuardedThread } from '../../threads/guarded-thread.js';
import { JobGivenUp } from '../../threads/threads.errors.js';
import { InvalidOpml } from '../feeds.errors.js';
import type { FeedJobs } from '../feeds.worker.js';
import type { OpmlEntry } from './opml.rules.js';

/** The thread that reads lists of feeds. */
export const OPML_READER = { name: 'opml-reader', entry: 'feeds/feeds.worker', heapMegabytes: 192 };

/** Reads OPML documents in a thread of its own: no feed waits for it, and it for none. */
@Injectable()
export class OpmlReader implements BeforeApplicationShutdown {
  protected readonly thread = new GuardedThread<FeedJobs>(OPML_READER);

  /** @throws InvalidOpml, ThreadStopped */
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

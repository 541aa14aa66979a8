import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { PROJECT_ROOT } from '../config/project-root.js';
import type { FeedBytes, ReadBytes } from './feed-reading.rules.js';
import { FeedReadingFailed, FeedReadingTooLong } from './feeds.errors.js';

// The compiled one: a thread does not go through what compiles the tests.
const WORKER = join(PROJECT_ROOT, 'dist/src/feeds/feed-reader.worker.js');
const LIMIT_MS = 20_000;
const LIMIT_MB = 512;
const IDLE_MS = 60_000;

/** What one document may cost. */
export interface ReadingLimits {
  limitMs: number;
  /** Of the heap. */
  limitMb: number;
}

/**
 * Reads what servers sent, one document after the other, in a thread of its own: a document that is made to be slow or
 * large is given up, and nobody else waits for it.
 */
@Injectable()
export class FeedReader implements OnApplicationShutdown {
  protected readonly limits: ReadingLimits = { limitMs: LIMIT_MS, limitMb: LIMIT_MB };
  private worker: Worker | null = null;
  private idle: NodeJS.Timeout | null = null;
  private last: Promise<unknown> = Promise.resolve();
  private isStopped = false;

  /** @throws FeedReadingTooLong, FeedReadingFailed */
  read(document: FeedBytes): Promise<ReadBytes> {
    const reading = this.last.then(() => this.readNow(document));
    this.last = reading.catch(() => undefined);
    return reading;
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    await this.stop();
  }

  private async readNow(document: FeedBytes): Promise<ReadBytes> {
    if (this.isStopped) throw new FeedReadingFailed('the service is stopping');
    if (this.idle) clearTimeout(this.idle);
    try {
      const read = await answerOf(this.started(), document, this.limits);
      this.idle = setTimeout(() => void this.stop(), IDLE_MS).unref();
      return read;
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  private started(): Worker {
    this.worker ??= new Worker(WORKER, { resourceLimits: { maxOldGenerationSizeMb: this.limits.limitMb } });
    this.worker.unref();
    return this.worker;
  }

  private async stop(): Promise<void> {
    if (this.idle) clearTimeout(this.idle);
    const { worker } = this;
    this.worker = null;
    await worker?.terminate();
  }
}

function answerOf(worker: Worker, document: FeedBytes, { limitMs, limitMb }: ReadingLimits): Promise<ReadBytes> {
  const { promise, resolve, reject } = Promise.withResolvers<ReadBytes>();
  const timer = setTimeout(() => reject(new FeedReadingTooLong(limitMs)), limitMs);
  const onError = (error: Error & { code?: string }) =>
    reject(
      new FeedReadingFailed(
        error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? `it takes more than ${limitMb} MB of memory` : error.message,
      ),
    );
  const onExit = () => reject(new FeedReadingFailed('the service is stopping'));
  worker.once('message', resolve).once('error', onError).once('exit', onExit);
  // A copy, which is then handed over: small bodies share their memory with others.
  const bytes = new Uint8Array(document.bytes);
  worker.postMessage({ ...document, bytes }, [bytes.buffer]);
  return promise.finally(() => {
    clearTimeout(timer);
    worker.off('message', resolve).off('error', onError).off('exit', onExit);
  });
}

import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { PROJECT_ROOT } from '../config/project-root.js';
import type { DocumentReading, DocumentSource } from './feed-reading.rules.js';
import { DocumentNotRead, ReadingStopped } from './feeds.errors.js';

const TIMEOUT_MS = 20_000;
/** The thread, as it was built: there is no other for tests, which run from the sources. */
const ENTRY = join(PROJECT_ROOT, 'dist/src/feeds/feed-reader.worker.js');

/**
 * Reads documents in a thread of its own: one that is made to be slow or large costs that thread, and not the service.
 * The thread is started for a document when there is none, and ends when it has had nothing to do for a while.
 */
@Injectable()
export class FeedReader implements BeforeApplicationShutdown {
  protected readonly heapMegabytes: number = 256;
  protected readonly idleMs: number = 60_000;
  private readonly logger = new Logger(FeedReader.name);
  private readonly stopping = new AbortController();
  private lastTurn: Promise<void> = Promise.resolve();
  private thread: Worker | null = null; // null = none is running
  private idleTimer: NodeJS.Timeout | undefined;

  /**
   * One document at a time, in the order of the calls. The bytes are given away: they are empty afterwards.
   * @throws DocumentNotRead, ReadingStopped, and the reason of the signal
   */
  read(source: DocumentSource, signal: AbortSignal): Promise<DocumentReading> {
    const ended = AbortSignal.any([signal, this.stopping.signal]);
    const turn = this.lastTurn.then(() => this.readNow(source, ended));
    this.lastTurn = turn.then(nothing, nothing);
    return turn;
  }

  // Before the connections are closed: that waits for the requests that wait for a document.
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort(new ReadingStopped());
    await this.lastTurn;
    await this.endThread();
  }

  /** Fires when a document that is read from now on has taken too long. */
  protected deadline(): AbortSignal {
    return AbortSignal.timeout(TIMEOUT_MS);
  }

  protected startThread(): Worker {
    const thread = new Worker(ENTRY, {
      name: 'feed-reader',
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: this.heapMegabytes },
    });
    thread.on('error', (error) => {
      if (!isOutOfMemory(error)) this.logger.error(`the thread that reads feeds failed: ${String(error)}`);
    });
    thread.once('exit', () => {
      if (this.thread === thread) this.thread = null;
    });
    return thread;
  }

  private async readNow(source: DocumentSource, ended: AbortSignal): Promise<DocumentReading> {
    ended.throwIfAborted();
    clearTimeout(this.idleTimer);
    const thread = (this.thread ??= this.startThread());
    const deadline = this.deadline();
    thread.ref();
    try {
      return await ask(thread, source, AbortSignal.any([ended, deadline]));
    } catch (error) {
      // Not awaited: what it is in the middle of may take its time to notice.
      void this.endThread();
      ended.throwIfAborted();
      throw new DocumentNotRead(source.url, deadline.aborted ? TOO_SLOW : this.reasonOf(error));
    } finally {
      thread.unref();
      this.idleTimer = setTimeout(() => void this.endThread(), this.idleMs).unref();
    }
  }

  private async endThread(): Promise<void> {
    const { thread } = this;
    this.thread = null;
    clearTimeout(this.idleTimer);
    await thread?.terminate();
  }

  private reasonOf(error: unknown): string {
    if (isOutOfMemory(error)) return `it takes more than ${this.heapMegabytes} MB of memory to read`;
    return `reading it failed (${String(error)})`;
  }
}

const TOO_SLOW = `it takes longer than ${TIMEOUT_MS / 1000} s to read`;
const nothing = (): void => undefined;

async function ask(thread: Worker, source: DocumentSource, signal: AbortSignal): Promise<DocumentReading> {
  const answered = new AbortController();
  const options = { signal: AbortSignal.any([signal, answered.signal]) };
  const bytes = ownBytes(source.bytes);
  thread.postMessage({ ...source, bytes }, [bytes.buffer]);
  const death = once(thread, 'exit', options).then(() => Promise.reject(new Error('the thread ended')));
  try {
    const [reading] = (await Promise.race([once(thread, 'message', options), death])) as [DocumentReading];
    return reading;
  } finally {
    answered.abort(); // nobody listens any more
  }
}

/** Bytes that share their memory with others can't be given away; these can. */
function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  const isAlone = buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength;
  return isAlone ? new Uint8Array(buffer) : new Uint8Array(bytes);
}

const isOutOfMemory = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

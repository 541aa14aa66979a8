import { Injectable } from '@nestjs/common';
import { GuardedThread, ThreadOwner } from '../../../platform/threads/guarded-thread.js';
import { JobAborted, ThreadStopped } from '../../../platform/threads/threads.errors.js';
import { DocumentNotRead, ReadingStopped } from '../store/feeds.errors.js';
import type { ReadingJobs } from './reading.worker.js';
import type { DocumentReading, DocumentSource } from './reading.rules.js';

/** The thread that reads documents of publishers. */
export const FEED_READER = { name: 'feed-reader', entry: 'features/feeds/reading/reading.worker', heapMegabytes: 256 };

/** Reads documents of feeds in a separate thread, one at a time: the cost of a document is not known before it is read. */
@Injectable()
export class FeedReader extends ThreadOwner {
  protected readonly thread = new GuardedThread<ReadingJobs>(FEED_READER);

  /**
   * Reads one document. Transfers the bytes to the thread: `source.bytes` may be empty afterwards.
   * @throws DocumentNotRead, ReadingStopped, and the reason of the signal
   */
  async read(source: DocumentSource, signal: AbortSignal): Promise<DocumentReading> {
    const bytes = ownBytes(source.bytes);
    try {
      return await this.thread.run('readDocument', { ...source, bytes }, { signal, transfer: [bytes.buffer] });
    } catch (error) {
      if (error instanceof JobAborted) throw new DocumentNotRead(source.url, error.reason);
      throw error instanceof ThreadStopped ? new ReadingStopped() : error;
    }
  }
}

/** Returns the bytes in a separate buffer; a buffer that is shared with other bytes cannot be transferred. */
function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  const isAlone = buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength;
  return isAlone ? new Uint8Array(buffer) : new Uint8Array(bytes);
}

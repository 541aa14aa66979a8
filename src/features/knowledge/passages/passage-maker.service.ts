import { Injectable } from '@nestjs/common';
import { GuardedThread, ThreadOwner } from '../../../platform/threads/guarded-thread.js';
import { JobAborted } from '../../../platform/threads/threads.errors.js';
import type { PassageJobs } from './passages.worker.js';
import { type IndexedDocument, indexedDocumentOf, type PassageSource } from './passages.rules.js';

/** The thread that splits long documents into passages. */
export const PASSAGE_MAKER = {
  name: 'passage-maker',
  entry: 'features/knowledge/passages/passages.worker',
  heapMegabytes: 512,
};

/** Shorter documents are split on the main thread, which is faster than asking another thread. */
const LONG_CHARACTERS = 4_000;

/** Splits documents into passages: short ones synchronously, long ones in a separate thread. */
@Injectable()
export class PassageMaker extends ThreadOwner {
  protected readonly thread = new GuardedThread<PassageJobs>(PASSAGE_MAKER);

  /**
   * Returns the search data of a document. If its Markdown takes too much time or memory, it is split like plain text.
   * @throws JobAborted, ThreadStopped
   */
  async make({ title, tags, content }: PassageSource): Promise<IndexedDocument> {
    const source = { title, tags, content };
    if (content.length < LONG_CHARACTERS) return indexedDocumentOf(source);
    return this.thread.run('indexedDocumentOf', source).catch((error: unknown) => {
      if (!(error instanceof JobAborted)) throw error;
      return this.thread.run('indexedDocumentOf', { ...source, isPlain: true });
    });
  }
}

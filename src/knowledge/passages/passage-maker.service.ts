import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { GuardedThread } from '../../threads/guarded-thread.js';
import type { KnowledgeJobs } from '../knowledge.worker.js';
import { type IndexedDocument, indexedDocumentOf, type PassageSource } from './passages.rules.js';

/** The thread that splits long documents into passages. */
export const PASSAGE_MAKER = { name: 'passage-maker', entry: 'knowledge/knowledge.worker', heapMegabytes: 192 };

/** Shorter documents are split on the main thread, which is faster than asking another thread. */
const LONG_CHARACTERS = 32_000;

/** Splits documents into passages: short ones at once, long ones in a separate thread. */
@Injectable()
export class PassageMaker implements BeforeApplicationShutdown {
  protected readonly thread = new GuardedThread<KnowledgeJobs>(PASSAGE_MAKER);

  /** Returns a document as searches know it. @throws JobGivenUp, ThreadStopped */
  async make({ title, tags, content }: PassageSource): Promise<IndexedDocument> {
    const source = { title, tags, content };
    return content.length < LONG_CHARACTERS ? indexedDocumentOf(source) : this.thread.run('indexedDocumentOf', source);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.thread.stop();
  }
}

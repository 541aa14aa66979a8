import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { GuardedThread } from '../../threads/guarded-thread.js';
import { type IndexedPassage, indexedPassagesOf, type PassageSource } from './indexed-passages.rules.js';
import type { KnowledgeJobs } from '../knowledge.worker.js';

/** The thread that takes long documents apart. */
export const PASSAGE_MAKER = { name: 'passage-maker', entry: 'knowledge/knowledge.worker', heapMegabytes: 192 };

/** What is shorter is done before a thread would have been asked. */
const LONG_CHARACTERS = 32_000;

/** Takes documents apart: short ones at once, long ones in a thread of its own. */
@Injectable()
export class PassageMaker implements BeforeApplicationShutdown {
  protected readonly thread = new GuardedThread<KnowledgeJobs>(PASSAGE_MAKER);

  /** @throws JobGivenUp, ThreadStopped */
  async make({ title, tags, content }: PassageSource): Promise<IndexedPassage[]> {
    const source = { title, tags, content };
    return content.length < LONG_CHARACTERS ? indexedPassagesOf(source) : this.thread.run('indexedPassagesOf', source);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.thread.stop();
  }
}

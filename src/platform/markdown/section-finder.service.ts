import { Injectable } from '@nestjs/common';
import { GuardedThread, ThreadOwner } from '../threads/guarded-thread.js';
import type { MarkdownJobs } from './markdown.worker.js';
import { type FoundSection, findSection, type SectionSearch } from './sections.rules.js';

const SECTION_FINDER = { name: 'section-finder', entry: 'platform/markdown/markdown.worker', heapMegabytes: 512 };

/** Shorter documents are parsed on the main thread, which is faster than using another thread. */
const LONG_CHARACTERS = 20_000;

/** Finds sections of Markdown documents: in short ones directly, in long ones in a separate thread. */
@Injectable()
export class SectionFinder extends ThreadOwner {
  protected readonly thread = new GuardedThread<MarkdownJobs>(SECTION_FINDER);

  /** @throws JobAborted, ThreadStopped */
  async find(search: SectionSearch): Promise<FoundSection> {
    return search.document.length < LONG_CHARACTERS ? findSection(search) : this.thread.run('findSection', search);
  }
}

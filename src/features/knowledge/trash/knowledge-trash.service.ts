import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { EventBus } from '../../../platform/events/event-bus.service.js';
import type { Page, PageRequest } from '../../../platform/paging/page-cursor.js';
import type { Document } from '../documents/document.js';
import { newDocumentId, readableIds } from '../documents/document.rules.js';
import { AddressTaken, RemovedDocumentNotFound } from '../documents/knowledge.errors.js';
import { PassageMaker } from '../passages/passage-maker.service.js';
import {
  expiredBefore,
  type FullRemovedDocument,
  type RemovedDocument,
  type RestoredDocument,
} from './removed-document.js';
import { type Restoration, TrashStore } from './trash.store.js';

/** A suffix such as -50 keeps the id as short as that of other documents. */
const LONGEST_ID = 60;
const DELETED_AT_ONCE = 100;
const MOST_ATTEMPTS = 10;

/** Lists removed documents, restores them, and deletes them permanently. */
@Injectable()
export class KnowledgeTrash {
  constructor(
    private readonly store: TrashStore,
    private readonly passages: PassageMaker,
    private readonly events: EventBus,
  ) {}

  /** Returns one page of removed documents, last removed first. */
  listPage(page: PageRequest): Promise<Page<RemovedDocument>> {
    return this.store.listPage(page);
  }

  /** @param id of the place in the trash @throws RemovedDocumentNotFound */
  async get(id: string): Promise<FullRemovedDocument> {
    const found = await this.store.find(id);
    if (!found) throw new RemovedDocumentNotFound(id);
    return found;
  }

  /** Returns the document that was last removed from an address; undefined when there is none. */
  async findLatest(documentId: string): Promise<FullRemovedDocument | undefined> {
    const id = await this.store.findLatestId(documentId);
    return id === undefined ? undefined : this.store.find(id);
  }

  /**
   * Restores a document with its history. It gets a new id when its id is taken, and loses its path when another document has
   * been imported from there.
   * @param id of the place in the trash
   * @throws RemovedDocumentNotFound, AddressTaken, JobAborted, ThreadStopped
   */
  async restore(id: string): Promise<RestoredDocument> {
    const { content, ...removed } = await this.get(id);
    const indexed = await this.passages.make({ ...removed, content });
    const document = await this.attempt({ id, indexed, ids: idsFor(removed) });
    if (!document) throw new RemovedDocumentNotFound(id);
    this.events.emit('knowledge.changed', { id: document.id, change: 'created' });
    return { document, removed };
  }

  private async attempt(restoration: Restoration, attempt = 1): Promise<Document | undefined> {
    try {
      return await this.store.restore(restoration);
    } catch (error) {
      if (!(error instanceof AddressTaken) || attempt === MOST_ATTEMPTS) throw error;
      return this.attempt(restoration, attempt + 1);
    }
  }

  /** Permanently deletes a removed document. @param id of the place in the trash @throws RemovedDocumentNotFound */
  async purge(id: string): Promise<void> {
    if (!(await this.store.delete(id))) throw new RemovedDocumentNotFound(id);
  }

  /** Permanently deletes documents that were removed more than 30 days ago; returns their number. */
  async purgeExpired(now: Date): Promise<number> {
    const latest = expiredBefore(now);
    let deleted = 0;
    for (;;) {
      const ids = await this.store.listIdsBefore(latest, DELETED_AT_ONCE);
      for (const id of ids) {
        if (await this.store.delete(id)) deleted += 1;
        await nextTurn();
      }
      if (ids.length < DELETED_AT_ONCE) return deleted;
    }
  }
}

const idsFor = ({ documentId }: RemovedDocument): string[] => {
  const start = documentId.slice(0, LONGEST_ID);
  return [documentId, ...readableIds(start), `${start.slice(0, LONGEST_ID - 10)}-${newDocumentId()}`];
};

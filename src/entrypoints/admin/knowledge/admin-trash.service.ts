import { Injectable } from '@nestjs/common';
import { KnowledgeTrash } from '../../../features/knowledge/trash/knowledge-trash.service.js';
import { expiryOf, type RemovedDocument } from '../../../features/knowledge/trash/removed-document.js';
import { mapPage, type Page, type PageRequest } from '../../../platform/paging/page-cursor.js';
import { toView } from './admin-knowledge.service.js';
import type { FullRemovedDocumentView, RemovedDocumentView, RestoredDocumentView } from './trash.schema.js';

/** Serves the trash of the knowledge base to administrators. */
@Injectable()
export class AdminTrash {
  constructor(private readonly trash: KnowledgeTrash) {}

  async listPage(page: PageRequest): Promise<Page<RemovedDocumentView>> {
    return mapPage(await this.trash.listPage(page), toRemovedView);
  }

  async get(id: string): Promise<FullRemovedDocumentView> {
    const { content, ...removed } = await this.trash.get(id);
    return { ...toRemovedView(removed), content };
  }

  async restore(id: string): Promise<RestoredDocumentView> {
    const { document, removed } = await this.trash.restore(id);
    return { ...toView(document), formerId: removed.documentId, formerPath: removed.path };
  }

  purge(id: string): Promise<void> {
    return this.trash.purge(id);
  }
}

const toRemovedView = (removed: RemovedDocument): RemovedDocumentView => ({
  ...removed,
  tags: [...removed.tags],
  expiresAt: expiryOf(removed.removedAt),
});

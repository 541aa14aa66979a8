import { Delete, Get, Param, Post, Query } from '@nestjs/common';
import { KnowledgeTrash } from '../../../features/knowledge/trash/knowledge-trash.service.js';
import { NeedsRole } from '../../../access/accounts/admin-role.decorator.js';
import { mapPage, type Page } from '../../../platform/paging/page-cursor.js';
import { AdminController, NoContent, Operation, Returns } from '../api/admin-controller.decorator.js';
import { Audited, AuditsState } from '../api/audited.decorator.js';
import { PageOf, PageQuery } from '../api/page.schema.js';
import { toView } from './admin-knowledge.service.js';
import { FullRemovedDocumentView, RemovedDocumentView, RestoredDocumentView, toRemovedView } from './trash.schema.js';

/** Removed documents. Not below `knowledge`, where any word may be an id. */
@AdminController('knowledge-trash')
export class TrashController {
  constructor(private readonly trash: KnowledgeTrash) {}

  @Get()
  @Operation(
    'listRemovedDocuments',
    'Lists the documents in the trash, most recently removed first',
    'Removed documents are kept for 30 days.',
  )
  @Returns(PageOf(RemovedDocumentView))
  async list(@Query() query: PageQuery): Promise<Page<RemovedDocumentView>> {
    return mapPage(await this.trash.listPage(query), toRemovedView);
  }

  @Get(':id')
  @Operation('getRemovedDocument', 'Returns a document in the trash with its content')
  @Returns(FullRemovedDocumentView)
  async get(@Param('id') id: string): Promise<FullRemovedDocumentView> {
    const { content, ...removed } = await this.trash.get(id);
    return { ...toRemovedView(removed), content };
  }

  @NeedsRole('editor')
  @Post(':id/restore')
  @Audited({ recordsResult: true })
  @Operation(
    'restoreDocument',
    'Restores a document from the trash, with its history',
    'It gets a new id if another document has its id, and loses its path if another document was imported from there.',
  )
  @Returns(RestoredDocumentView)
  async restore(@Param('id') id: string): Promise<RestoredDocumentView> {
    const { document, removed } = await this.trash.restore(id);
    return { ...toView(document), formerId: removed.documentId, formerPath: removed.path };
  }

  @NeedsRole('editor')
  @Delete(':id')
  @AuditsState('id')
  @Operation('purgeDocument', 'Permanently deletes a document in the trash, with its history')
  @NoContent()
  purge(@Param('id') id: string): Promise<void> {
    return this.trash.purge(id);
  }
}

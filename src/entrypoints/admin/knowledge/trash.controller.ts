import { Delete, Get, Param, Post, Query } from '@nestjs/common';
import { NeedsRole } from '../../../access/accounts/admin-role.decorator.js';
import type { Page } from '../../../platform/paging/page-cursor.js';
import { AdminController, NoContent, Operation, Returns } from '../api/admin-controller.decorator.js';
import { Audited } from '../api/audited.decorator.js';
import { PageOf, PageQuery } from '../api/page.schema.js';
import { AdminTrash } from './admin-trash.service.js';
import { FullRemovedDocumentView, RemovedDocumentView, RestoredDocumentView } from './trash.schema.js';

/** Removed documents. Not below `knowledge`, where any word may be an id. */
@AdminController('knowledge-trash')
export class TrashController {
  constructor(private readonly admin: AdminTrash) {}

  @Get()
  @Operation(
    'listRemovedDocuments',
    'Lists the documents in the trash, most recently removed first',
    'Removed documents are kept for 30 days.',
  )
  @Returns(PageOf(RemovedDocumentView))
  list(@Query() query: PageQuery): Promise<Page<RemovedDocumentView>> {
    return this.admin.listPage(query);
  }

  @Get(':id')
  @Operation('getRemovedDocument', 'Returns a document in the trash with its content')
  @Returns(FullRemovedDocumentView)
  get(@Param('id') id: string): Promise<FullRemovedDocumentView> {
    return this.admin.get(id);
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
  restore(@Param('id') id: string): Promise<RestoredDocumentView> {
    return this.admin.restore(id);
  }

  @NeedsRole('editor')
  @Delete(':id')
  @Audited<TrashController>({ state: (controller, { params }) => controller.get(params['id'] ?? '') })
  @Operation('purgeDocument', 'Permanently deletes a document in the trash, with its history')
  @NoContent()
  purge(@Param('id') id: string): Promise<void> {
    return this.admin.purge(id);
  }
}

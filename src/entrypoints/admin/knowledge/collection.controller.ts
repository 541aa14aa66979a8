import { Body, Get, Post, Query } from '@nestjs/common';
import { DocumentCollection } from '../../../features/knowledge/collection/document-collection.service.js';
import { onePage, type Page } from '../../../platform/paging/page-cursor.js';
import { AdminController, Operation, Returns } from '../api/admin-controller.decorator.js';
import { Audited } from '../api/audited.decorator.js';
import { type RecordPart, RecordsParts } from '../api/recorded-parts.js';
import { PageOf } from '../api/page.schema.js';
import { NeedsRole } from '../../../access/accounts/admin-role.decorator.js';
import { AdminCollection } from './admin-collection.service.js';
import {
  ChangeReport,
  CountQuery,
  DocumentCount,
  DocumentsChange,
  MatchingQuery,
  SeenDocumentView,
  TagItem,
  TagsQuery,
} from './collection.schema.js';

/** Operations on the whole knowledge base. Not below `knowledge`, where any word may be an id. */
@AdminController('knowledge-documents')
export class CollectionController {
  constructor(
    private readonly admin: AdminCollection,
    private readonly collection: DocumentCollection,
  ) {}

  @Get('count')
  @Operation('countDocuments', 'Counts all documents, and those that match')
  @Returns(DocumentCount)
  count(@Query() query: CountQuery): Promise<DocumentCount> {
    return this.admin.count(query);
  }

  @Get('matching')
  @Operation(
    'listMatchingDocuments',
    'Lists all matching documents by id',
    'With `q`, those with all of its words in one passage; `GET /admin/api/knowledge` finds the best matches instead.',
  )
  @Returns(PageOf(SeenDocumentView))
  matching(@Query() query: MatchingQuery): Promise<Page<SeenDocumentView>> {
    return this.admin.listMatching(query);
  }

  @Get('tags')
  @Operation('listTags', 'Lists the tags of the documents, most used first')
  @Returns(PageOf(TagItem), 'One page, without nextCursor.')
  async tags(@Query() { q = '', limit }: TagsQuery): Promise<Page<TagItem>> {
    return onePage(await this.collection.listTags(q, limit));
  }

  @NeedsRole('editor')
  @Post('changes')
  @Audited({ recordsResult: true })
  @Operation(
    'changeDocuments',
    'Deletes documents, or adds tags to them and removes tags',
    'Each document is changed independently; the response has an outcome for each. A document that has changed meanwhile is left unchanged.',
  )
  @Returns(ChangeReport)
  change(@Body() body: DocumentsChange, @RecordsParts() record: RecordPart): Promise<ChangeReport> {
    return this.admin.change(body, record);
  }
}

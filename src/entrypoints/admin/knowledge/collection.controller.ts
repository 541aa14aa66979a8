import { Body, Get, Post, Query } from '@nestjs/common';
import { DocumentCollection } from '../../../features/knowledge/collection/document-collection.service.js';
import { onePage, type Page } from '../../../platform/paging/page-cursor.js';
import { AdminController, Operation, Returns } from '../api/admin-controller.decorator.js';
import { Audited } from '../api/audited.decorator.js';
import { type RecordPart, RecordsParts } from '../api/recorded-parts.js';
import { PageOf } from '../api/page.schema.js';
import { NeedsRole } from '../../../access/accounts/admin-role.decorator.js';
import { SOURCE, toFull } from './admin-knowledge.service.js';
import {
  ChangeReport,
  CountQuery,
  DocumentCount,
  DocumentsChange,
  MatchingQuery,
  SeenDocumentView,
  TagPage,
  TagsQuery,
  toChange,
  toMatch,
} from './collection.schema.js';

/** Operations on the whole knowledge base. Not below `knowledge`, where any word may be an id. */
@AdminController('knowledge-documents')
export class CollectionController {
  constructor(private readonly collection: DocumentCollection) {}

  @Get('count')
  @Operation('countDocuments', 'Counts all documents, and those that match')
  @Returns(DocumentCount)
  async count(@Query() query: CountQuery): Promise<DocumentCount> {
    const documents = await this.collection.count();
    const match = toMatch(query);
    const isAll = match.query === undefined && match.tag === undefined;
    return { documents, matching: isAll ? documents : await this.collection.countMatching(match) };
  }

  @Get('matching')
  @Operation(
    'listMatchingDocuments',
    'Lists all matching documents by id',
    'With `q`, those with all of its words in one passage; `GET /admin/api/knowledge` finds the best matches instead.',
  )
  @Returns(PageOf(SeenDocumentView))
  matching(@Query() { limit, cursor, ...query }: MatchingQuery): Promise<Page<SeenDocumentView>> {
    return this.collection.listMatching({ ...toMatch(query), limit, cursor });
  }

  @Get('tags')
  @Operation('listTags', 'Lists the tags of the documents, most used first')
  @Returns(TagPage, 'One page, without nextCursor.')
  async tags(@Query() { q = '', limit }: TagsQuery): Promise<TagPage> {
    const found = await this.collection.listTags(q, limit + 1);
    return { ...onePage(found.slice(0, limit)), isCut: found.length > limit };
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
  async change(
    @Body() { documents, ...body }: DocumentsChange,
    @RecordsParts() record: RecordPart,
  ): Promise<ChangeReport> {
    // Each document has a separate entry in the audit log, as if it were changed alone.
    const action = body.change === 'delete' ? 'deleteDocument' : 'updateDocument';
    const changed = await this.collection.changeAll(documents, toChange(body), {
      source: SOURCE,
      onChanged: (before, after) =>
        record({ action, subject: `knowledge/${before.id}`, before: toFull(before), after: after && toFull(after) }),
    });
    return { documents: changed };
  }
}

import { Body, Delete, Get, HttpCode, Param, Post, Put, Query, StreamableFile } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse } from '@nestjs/swagger';
import type { Page } from '../../paging/page-cursor.js';
import { AdminController, Operation } from '../api/admin-controller.decorator.js';
import { Audited } from '../api/audited.decorator.js';
import { NeedsRole } from '../auth/admin-role.decorator.js';
import { DOCUMENTS_MAX_BYTES, MaxBody } from '../api/body/input.interceptor.js';
import { PageOf } from '../api/page.schema.js';
import { AdminKnowledge } from './admin-knowledge.service.js';
import {
  DocumentBody,
  DocumentChange,
  DocumentListItem,
  EmbeddingsView,
  FullDocument,
  ImportBody,
  ImportReport,
  KnowledgeQuery,
  SavedDocumentView,
} from './knowledge.schema.js';

@AdminController('knowledge')
export class KnowledgeController {
  constructor(private readonly knowledge: AdminKnowledge) {}

  @Get()
  @Operation(
    'listDocuments',
    'Lists or searches the documents',
    'Without `q`, the document that was changed last comes first; with `q`, the best match.',
  )
  @ApiOkResponse({ type: PageOf(DocumentListItem) })
  list(@Query() query: KnowledgeQuery): Promise<Page<DocumentListItem>> {
    return this.knowledge.listPage(query);
  }

  @Get('export')
  @Operation('exportDocuments', 'Exports all documents')
  @ApiOkResponse({ type: PageOf(FullDocument), description: 'All documents in one page, without nextCursor.' })
  export(): StreamableFile {
    const disposition = 'attachment; filename="knowledge.json"';
    return new StreamableFile(this.knowledge.export(), { type: 'application/json', disposition });
  }

  @NeedsRole('editor')
  @Post('import')
  @Audited({ recordsResult: true })
  @Operation(
    'importDocuments',
    'Saves Markdown, plain text and HTML files as documents',
    'A file whose path was imported before replaces its document.',
  )
  @HttpCode(200)
  @MaxBody(DOCUMENTS_MAX_BYTES)
  @ApiOkResponse({ type: ImportReport })
  import(@Body() body: ImportBody): Promise<ImportReport> {
    return this.knowledge.importFiles(body);
  }

  @Get('embeddings')
  @Operation('getEmbeddings', 'Reports how many passages are embedded for searches by meaning')
  @ApiOkResponse({ type: EmbeddingsView })
  embeddings(): Promise<EmbeddingsView> {
    return this.knowledge.embeddings();
  }

  @Get(':id')
  @Operation('getDocument', 'Returns one document with its content')
  @ApiOkResponse({ type: FullDocument })
  get(@Param('id') id: string): Promise<FullDocument> {
    return this.knowledge.get(id);
  }

  @NeedsRole('editor')
  @Post()
  @Audited({ recordsResult: true })
  @Operation('createDocument', 'Saves a new document')
  @MaxBody(DOCUMENTS_MAX_BYTES)
  @ApiCreatedResponse({ type: SavedDocumentView })
  create(@Body() body: DocumentBody): Promise<SavedDocumentView> {
    return this.knowledge.create(body);
  }

  @NeedsRole('editor')
  @Put(':id')
  @Audited<KnowledgeController>({ state: (controller, { params }) => controller.get(params['id'] ?? '') })
  @Operation('updateDocument', 'Changes a document', 'Fields that are left out, or null, stay as they are.')
  @MaxBody(DOCUMENTS_MAX_BYTES)
  @ApiOkResponse({ type: SavedDocumentView })
  update(@Param('id') id: string, @Body() change: DocumentChange): Promise<SavedDocumentView> {
    return this.knowledge.update(id, change);
  }

  @NeedsRole('editor')
  @Delete(':id')
  @Audited<KnowledgeController>({ state: (controller, { params }) => controller.get(params['id'] ?? '') })
  @Operation('deleteDocument', 'Deletes a document')
  @HttpCode(204)
  @ApiNoContentResponse()
  remove(@Param('id') id: string): Promise<void> {
    return this.knowledge.remove(id);
  }
}

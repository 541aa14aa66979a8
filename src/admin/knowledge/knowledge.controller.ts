import { Body, Delete, Get, HttpCode, Param, Post, Put, Query, StreamableFile } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse } from '@nestjs/swagger';
import type { Page } from '../../paging/page-cursor.js';
import { AdminKnowledge } from './admin-knowledge.service.js';
import { AdminController } from '../api/admin-controller.decorator.js';
import { DOCUMENTS_MAX_BYTES, MaxBody } from '../api/body/input.interceptor.js';
import { PageOf } from '../api/page.schema.js';
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

  /** The one changed last comes first; with `q`, the best match. */
  @Get()
  @ApiOkResponse({ type: PageOf(DocumentListItem) })
  list(@Query() query: KnowledgeQuery): Promise<Page<DocumentListItem>> {
    return this.knowledge.listPage(query);
  }

  /** All documents. */
  @Get('export')
  @ApiOkResponse({ type: PageOf(FullDocument), description: 'In one page, without nextCursor.' })
  export(): StreamableFile {
    const disposition = 'attachment; filename="knowledge.json"';
    return new StreamableFile(this.knowledge.export(), { type: 'application/json', disposition });
  }

  /** Markdown, plain text and HTML; a file that was imported before replaces its document. */
  @Post('import')
  @HttpCode(200)
  @MaxBody(DOCUMENTS_MAX_BYTES)
  @ApiOkResponse({ type: ImportReport })
  import(@Body() body: ImportBody): Promise<ImportReport> {
    return this.knowledge.importFiles(body);
  }

  /** How far the passages are embedded for searches by meaning. */
  @Get('embeddings')
  @ApiOkResponse({ type: EmbeddingsView })
  embeddings(): Promise<EmbeddingsView> {
    return this.knowledge.embeddings();
  }

  @Get(':id')
  @ApiOkResponse({ type: FullDocument })
  get(@Param('id') id: string): Promise<FullDocument> {
    return this.knowledge.get(id);
  }

  @Post()
  @MaxBody(DOCUMENTS_MAX_BYTES)
  @ApiCreatedResponse({ type: SavedDocumentView })
  create(@Body() body: DocumentBody): Promise<SavedDocumentView> {
    return this.knowledge.create(body);
  }

  @Put(':id')
  @MaxBody(DOCUMENTS_MAX_BYTES)
  @ApiOkResponse({ type: SavedDocumentView })
  update(@Param('id') id: string, @Body() change: DocumentChange): Promise<SavedDocumentView> {
    return this.knowledge.update(id, change);
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiNoContentResponse()
  remove(@Param('id') id: string): Promise<void> {
    return this.knowledge.remove(id);
  }
}

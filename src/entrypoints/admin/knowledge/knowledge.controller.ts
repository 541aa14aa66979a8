import { Body, Delete, Get, Param, ParseIntPipe, Post, Put, Query, type StreamableFile } from '@nestjs/common';
import { KnowledgeService } from '../../../features/knowledge/knowledge.service.js';
import { onePage, type Page } from '../../../platform/paging/page-cursor.js';
import { AdminController, Creates, NoContent, Operation, Returns } from '../api/admin-controller.decorator.js';
import { Audited, ChangesNothing, AuditsState } from '../api/audited.decorator.js';
import { ChecksVersion, IfMatchNumber, ReturnsVersion } from '../api/versions/versions.decorators.js';
import { NeedsRole } from '../../../access/accounts/admin-role.decorator.js';
import { DOCUMENTS_MAX_BYTES, MaxBody } from '../api/body/input.interceptor.js';
import { PageOf } from '../api/page.schema.js';
import { streamedFile } from '../api/streamed-file.js';
import { AdminKnowledge } from './admin-knowledge.service.js';
import {
  DocumentBody,
  DocumentChange,
  DocumentListItem,
  DocumentsExport,
  DocumentVersionItem,
  EmbeddingsView,
  FullDocument,
  FullDocumentVersion,
  ImportBody,
  ImportPreview,
  ImportReport,
  KnowledgeQuery,
  SavedDocumentView,
} from './knowledge.schema.js';

@AdminController('knowledge')
export class KnowledgeController {
  constructor(
    private readonly admin: AdminKnowledge,
    private readonly knowledge: KnowledgeService,
  ) {}

  @Get()
  @Operation(
    'listDocuments',
    'Lists or searches the documents',
    'Without `q`, the document that was changed last comes first; with `q`, the best match.',
  )
  @Returns(PageOf(DocumentListItem))
  list(@Query() query: KnowledgeQuery): Promise<Page<DocumentListItem>> {
    return this.admin.listPage(query);
  }

  @Get('export')
  @Operation('exportDocuments', 'Exports all documents')
  @Returns(DocumentsExport)
  export(): Promise<StreamableFile> {
    const disposition = 'attachment; filename="knowledge.json"';
    return streamedFile(this.admin.export(), { type: 'application/json', disposition });
  }

  @NeedsRole('editor')
  @Post('import/preview')
  @ChangesNothing()
  @Operation(
    'previewImport',
    'Previews the import of files',
    'Returns the outcomes that an import would have; nothing is saved.',
  )
  @MaxBody(DOCUMENTS_MAX_BYTES)
  @Returns(ImportPreview)
  previewImport(@Body() body: ImportBody): Promise<ImportPreview> {
    return this.admin.previewImport(body);
  }

  @NeedsRole('editor')
  @Post('import')
  @Audited({ recordsResult: true })
  @Operation(
    'importDocuments',
    'Saves Markdown, text, HTML, PDF, DOCX and EPUB files as documents',
    'A file from an already imported path replaces its document. An export of a knowledge base is imported as its documents.',
  )
  @MaxBody(DOCUMENTS_MAX_BYTES)
  @Returns(ImportReport)
  import(@Body() body: ImportBody): Promise<ImportReport> {
    return this.admin.importFiles(body);
  }

  @Get('embeddings')
  @Operation('getEmbeddings', 'Reports how many passages are embedded for searches by meaning')
  @Returns(EmbeddingsView)
  embeddings(): Promise<EmbeddingsView> {
    return this.admin.embeddings();
  }

  @Get(':id')
  @Operation('getDocument', 'Returns one document with its content')
  @Returns(FullDocument)
  @ReturnsVersion()
  get(@Param('id') id: string): Promise<FullDocument> {
    return this.admin.get(id);
  }

  @Get(':id/history')
  @Operation('getDocumentHistory', 'Lists the previous versions of a document, newest first', 'The last 50 are kept.')
  @Returns(PageOf(DocumentVersionItem), 'All of them in one page.')
  async history(@Param('id') id: string): Promise<Page<DocumentVersionItem>> {
    return onePage(await this.knowledge.history(id));
  }

  @Get(':id/history/:version')
  @Operation('getDocumentVersion', 'Returns a previous version of a document')
  @Returns(FullDocumentVersion)
  version(@Param('id') id: string, @Param('version', ParseIntPipe) version: number): Promise<FullDocumentVersion> {
    return this.knowledge.version(id, version);
  }

  @NeedsRole('editor')
  @Post()
  @Audited({ recordsResult: true })
  @Operation('createDocument', 'Saves a new document')
  @MaxBody(DOCUMENTS_MAX_BYTES)
  @Creates(SavedDocumentView)
  create(@Body() body: DocumentBody): Promise<SavedDocumentView> {
    return this.admin.create(body);
  }

  @NeedsRole('editor')
  @Put(':id')
  @AuditsState('id')
  @Operation(
    'updateDocument',
    'Changes a document',
    'Omitted and null fields are left unchanged. The history keeps the previous version.',
  )
  @MaxBody(DOCUMENTS_MAX_BYTES)
  @Returns(SavedDocumentView)
  @ChecksVersion()
  @ReturnsVersion()
  update(
    @Param('id') id: string,
    @Body() change: DocumentChange,
    @IfMatchNumber() version?: number,
  ): Promise<SavedDocumentView> {
    return this.admin.update(id, change, version);
  }

  @NeedsRole('editor')
  @Delete(':id')
  @AuditsState('id')
  @Operation('deleteDocument', 'Moves a document with its history to the trash', 'It can be restored for 30 days.')
  @NoContent()
  @ChecksVersion()
  remove(@Param('id') id: string, @IfMatchNumber() version?: number): Promise<void> {
    return this.admin.remove(id, version);
  }
}

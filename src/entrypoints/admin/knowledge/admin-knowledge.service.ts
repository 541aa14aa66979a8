import { extname } from 'node:path';
import { Injectable } from '@nestjs/common';
import type { Document, KnowledgeHit, SavedDocument } from '../../../features/knowledge/documents/document.js';
import { documentUri, passageUri } from '../../../features/knowledge/documents/document.rules.js';
import type { UploadedFile } from '../../../features/knowledge/import/knowledge-import.service.js';
import { UploadImport } from '../../../features/knowledge/import/upload-import.service.js';
import { DocumentConflict } from '../../../features/knowledge/documents/knowledge.errors.js';
import { KnowledgeService } from '../../../features/knowledge/knowledge.service.js';
import { type CollectionProgress, EmbeddingReport } from '../../../features/semantic/embedding-report.service.js';
import { commandToAdd } from '../../../platform/environment/project-root.js';
import { mapPage, onePage, type Page } from '../../../platform/paging/page-cursor.js';
import { OutdatedChange } from '../api/versions/versions.errors.js';
import type {
  DocumentBody,
  DocumentChange,
  DocumentListItem,
  DocumentView,
  EmbeddingsView,
  FoundPassageView,
  FullDocument,
  ImportBody,
  ImportedFileBody,
  ImportPreview,
  ImportReport,
  KnowledgeQuery,
  SavedDocumentView,
} from './knowledge.schema.js';

export const SOURCE = 'admin';
/** A document has up to a million characters. */
const EXPORTED_AT_ONCE = 20;

/** Serves the knowledge base to administrators. */
@Injectable()
export class AdminKnowledge {
  constructor(
    private readonly knowledge: KnowledgeService,
    private readonly uploads: UploadImport,
    private readonly embeddingReport: EmbeddingReport,
  ) {}

  async listPage({ q, ...page }: KnowledgeQuery): Promise<Page<DocumentListItem>> {
    if (!q) {
      const found = await this.knowledge.listPage(page);
      return mapPage(found, (document) => ({ ...toView(document), passage: null, match: null }));
    }
    const hits = await this.knowledge.search({ query: q, tags: page.tag ? [page.tag] : [], limit: page.limit });
    return onePage(hits.map((hit) => ({ ...toView(hit.document), passage: toPassageView(hit), match: hit.match })));
  }

  async get(id: string): Promise<FullDocument> {
    return toFull(await this.knowledge.get(id));
  }

  async create(body: DocumentBody): Promise<SavedDocumentView> {
    return toSaved(await this.knowledge.save({ ...given(body), source: SOURCE }));
  }

  /** @param basedOn the version that the caller knows; undefined = any */
  async update(id: string, change: DocumentChange, basedOn?: number): Promise<SavedDocumentView> {
    const { title, content, tags, version } = await this.knowledge.get(id);
    const changed = { title, content, tags, ...given(change), id, source: SOURCE, basedOn: basedOn ?? version };
    try {
      return toSaved(await this.knowledge.save(changed));
    } catch (error) {
      if (!(error instanceof DocumentConflict)) throw error;
      if (basedOn !== undefined) return withPresent(error);
      return this.update(id, change); // the unchanged fields have changed since they were read
    }
  }

  remove(id: string, basedOn?: number): Promise<void> {
    return this.knowledge.remove(id, { basedOn, by: SOURCE }).catch(withPresent);
  }

  async importFiles({ files }: ImportBody): Promise<ImportReport> {
    return { files: await this.uploads.import(files.map(toUpload), SOURCE) };
  }

  async previewImport({ files }: ImportBody): Promise<ImportPreview> {
    const previewed = await this.uploads.preview(files.map(toUpload), SOURCE);
    return { files: previewed.map(({ before, ...file }) => ({ ...file, present: before && toView(before) })) };
  }

  async embeddings(): Promise<EmbeddingsView> {
    const { space, lastError, nextTryAt, builtinIsInstalled, searchProblem, collections } =
      await this.embeddingReport.make();
    const progressOf = (wanted: CollectionProgress['name']) => collections.find(({ name }) => name === wanted);
    const [passages, entries] = [progressOf('knowledge'), progressOf('memory')];
    return {
      enabled: space !== null,
      space,
      passages: passages?.items ?? 0,
      embedded: passages?.embedded ?? 0,
      memoryEnabled: entries?.isOn ?? false,
      entries: entries?.items ?? 0,
      embeddedEntries: entries?.embedded ?? 0,
      builtinInstalled: builtinIsInstalled,
      builtinCommand: commandToAdd('embeddings'),
      lastError,
      nextTryAt,
      searchProblem,
    };
  }

  /** Returns all documents as one JSON document, in parts, because the knowledge base may be larger than the memory. */
  async *export(): AsyncGenerator<string> {
    const limit = EXPORTED_AT_ONCE;
    let page = await this.knowledge.listWholeByAge({ limit });
    yield '{"items":[';
    let separator = '';
    for (;;) {
      for (const document of page.items) {
        yield separator + JSON.stringify(toFull(document));
        separator = ',\n';
      }
      if (page.nextCursor === null) break;
      page = await this.knowledge.listWholeByAge({ limit, cursor: page.nextCursor });
    }
    yield ']}\n';
  }
}

function toUpload({ path, content, base64, type, version }: ImportedFileBody): UploadedFile {
  const basedOn = version ?? undefined;
  if ((base64 ?? null) !== null) return { path, bytes: new Uint8Array(Buffer.from(base64 ?? '', 'base64')), basedOn };
  // The bytes decide what such a file is: it may be an export.
  if (!type && extname(path) === '.json') return { path, bytes: new TextEncoder().encode(content ?? ''), basedOn };
  return { path, content: content ?? '', basedOn, ...(type && { type }) };
}

function withPresent(error: unknown): never {
  throw error instanceof DocumentConflict ? new OutdatedChange(error, toFull(error.present)) : error;
}

/** Leaves out fields that are null or undefined: they stay unchanged. */
function given<Body extends object>(body: Body): Body {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => (value ?? null) !== null)) as Body;
}

export function toView(document: Omit<Document, 'content' | 'hash'>): DocumentView {
  const { id, title, tags, source, path, version, createdAt, updatedAt } = document;
  return { id, uri: documentUri(id), title, tags: [...tags], source, path, version, createdAt, updatedAt };
}

function toPassageView({ document, passage, matches }: KnowledgeHit): FoundPassageView {
  const { position, headings, content, start } = passage;
  return { uri: passageUri(document.id, position), section: [...headings], content, start, matches: [...matches] };
}

export const toFull = (document: Document): FullDocument => ({ ...toView(document), content: document.content });

const toSaved = ({ document, outcome }: SavedDocument): SavedDocumentView => ({ ...toFull(document), outcome });

import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { AppError } from '../../../platform/errors/app-error.js';
import { ThreadStopped } from '../../../platform/threads/threads.errors.js';
import type { Document, SavedDocument, SaveOutcome } from '../documents/document.js';
import { FileRefused } from '../documents/knowledge.errors.js';
import { type DocumentInput, KnowledgeService } from '../knowledge.service.js';
import type { ImportedPath } from '../knowledge.store.js';
import { ImportedFileReader } from './imported-file-reader.service.js';
import type { ImportedBytes, ImportedFile } from './plain-file.rules.js';
import { fileOfPart, isOfSource, partPath } from './source.rules.js';

export interface ImportedResult {
  file: string;
  /** Path of the document: that of the file, or another one in an export. */
  path: string;
  outcome: SaveOutcome | 'failed';
  /** Id of the document; null when the import failed. */
  id: string | null;
  /** Why the import failed; null = it succeeded. */
  problem: string | null;
}

export interface PreviewedResult extends ImportedResult {
  /** Title of the resulting document; null when the import would fail. */
  title: string | null;
  /** The document that it would replace, or that has the same content; null = none. */
  before: Document | null;
}

/** A file with the version of the document that the caller knows under its path: 0 = none, undefined = any. */
export type UploadedFile = (ImportedFile | ImportedBytes) & { basedOn?: number | undefined };

/** The documents and files that an import has found in a source. */
export interface Found {
  documents: ReadonlySet<string>;
  /** Paths of the existing files that were not read: their documents are kept. */
  unread: ReadonlySet<string>;
}

/** Number of files whose events are sent together. */
const ANNOUNCED_AT_ONCE = 100;

/** Imports files as documents. Importing a file again replaces its document, or changes nothing. */
@Injectable()
export class KnowledgeImport {
  constructor(
    private readonly knowledge: KnowledgeService,
    private readonly reader: ImportedFileReader,
  ) {}

  /**
   * Imports files one after the other. Sends the events of 100 files together, because clients may read the list of
   * documents again after each event.
   */
  async importAll(files: readonly UploadedFile[], source: string): Promise<ImportedResult[]> {
    const results: ImportedResult[] = [];
    for (let start = 0; start < files.length; start += ANNOUNCED_AT_ONCE) {
      results.push(...(await this.importSome(files.slice(start, start + ANNOUNCED_AT_ONCE), source)));
    }
    return results;
  }

  /** Imports one file. Returns the outcome of each of its documents. */
  async importOne(file: ImportedFile | ImportedBytes, source: string): Promise<ImportedResult[]> {
    const saved: SavedDocument[] = [];
    const results = await this.saved(file, source, saved);
    this.knowledge.announce(saved);
    return results.length > 0 ? results : [failure(file, new FileRefused(file.path, 'it holds no document'))];
  }

  /**
   * Returns the results that an import would have, without importing. Each file is compared with the current state, even if
   * several have the same path.
   */
  async preview(files: readonly UploadedFile[], source: string): Promise<PreviewedResult[]> {
    const results: PreviewedResult[] = [];
    for (const file of files) {
      results.push(...(await this.previewOf(file, source)));
      await nextTurn();
    }
    return results;
  }

  private async previewOf(file: UploadedFile, source: string): Promise<PreviewedResult[]> {
    return this.each(file, source, async (input) => {
      const { outcome, title, before } = await this.knowledge.compare(input);
      const path = shownPath(file, input);
      return { file: file.path, path, outcome, id: before?.id ?? null, problem: null, title, before };
    }).catch((error: unknown) => [{ ...failure(file, error), title: null, before: null }]);
  }

  private async importSome(files: readonly UploadedFile[], source: string): Promise<ImportedResult[]> {
    const saved: SavedDocument[] = [];
    const results: ImportedResult[] = [];
    try {
      for (const file of files) {
        results.push(...(await this.saved(file, source, saved)));
        await nextTurn();
      }
    } finally {
      this.knowledge.announce(saved);
    }
    return results;
  }

  /** Imports one file and adds the saved documents to `saved`. A file that cannot be imported returns a failed result. */
  private async saved(file: UploadedFile, source: string, saved: SavedDocument[]): Promise<ImportedResult[]> {
    return this.each(file, source, async (input) => {
      const one = await this.knowledge.saveUnannounced(input);
      saved.push(one);
      const path = shownPath(file, input);
      return { file: file.path, path, outcome: one.outcome, id: one.document.id, problem: null };
    }).catch((error: unknown) => [failure(file, error)]);
  }

  /** Calls `work` with each document in a file: one, the parts of a long one, or those of an export. */
  private async each<Result>(
    file: UploadedFile,
    source: string,
    work: (input: DocumentInput) => Promise<Result>,
  ): Promise<Result[]> {
    const documents = await this.reader.readAll(file);
    const results: Result[] = [];
    for (const [index, { exported, ...document }] of documents.entries()) {
      const place = exported
        ? { path: exported.path, source: exported.source, exported }
        : { path: partPath(file.path, index), source, basedOn: index === 0 ? file.basedOn : undefined };
      results.push(await work({ ...document, ...place }));
      await nextTurn();
    }
    return results;
  }

  /** Returns the documents of a source whose files, or parts of files, no longer exist. */
  async listRemoved(source: string, { documents, unread }: Found): Promise<ImportedPath[]> {
    const imported = await this.knowledge.listPaths();
    const isThere = (path: string) => documents.has(path) || unread.has(path) || unread.has(fileOfPart(path));
    return imported.filter(({ path }) => isOfSource(source, path) && !isThere(path));
  }
}

/** A document of an export is listed by its path, or else by its title. */
const shownPath = ({ path }: UploadedFile, input: DocumentInput): string => input.path ?? `${path}: ${input.title}`;

function failure({ path }: UploadedFile, error: unknown): ImportedResult {
  if (!(error instanceof AppError) || error instanceof ThreadStopped) throw error;
  return { file: path, path, outcome: 'failed', id: null, problem: error.message };
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { AppError } from '../../errors/app-error.js';
import { ThreadStopped } from '../../threads/threads.errors.js';
import type { SavedDocument, SaveOutcome } from '../document.js';
import { KnowledgeService } from '../knowledge.service.js';
import type { ImportedPath } from '../knowledge.store.js';
import { ImportedFileReader } from './imported-file-reader.service.js';
import type { ImportedBytes, ImportedFile } from './imported-file.rules.js';
import { isOfSource } from './source.rules.js';

export interface ImportedResult {
  path: string;
  outcome: SaveOutcome | 'failed';
  /** Id of the document; null when the import failed. */
  id: string | null;
  /** Why the import failed; null when it did not. */
  problem: string | null;
}

/** Files whose events are sent together. */
const TOLD_AT_ONCE = 100;

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
  async importAll(files: readonly ImportedFile[], source: string): Promise<ImportedResult[]> {
    const results: ImportedResult[] = [];
    for (let start = 0; start < files.length; start += TOLD_AT_ONCE) {
      results.push(...(await this.importSome(files.slice(start, start + TOLD_AT_ONCE), source)));
    }
    return results;
  }

  async importOne(file: ImportedFile | ImportedBytes, source: string): Promise<ImportedResult> {
    const saved: SavedDocument[] = [];
    const result = await this.saved(file, source, saved);
    this.knowledge.tell(saved);
    return result;
  }

  private async importSome(files: readonly ImportedFile[], source: string): Promise<ImportedResult[]> {
    const saved: SavedDocument[] = [];
    const results: ImportedResult[] = [];
    try {
      for (const file of files) {
        results.push(await this.saved(file, source, saved));
        await nextTurn();
      }
    } finally {
      this.knowledge.tell(saved);
    }
    return results;
  }

  /** Imports one file and adds the saved document to `saved`. A file that can't be imported gives a failed result. */
  private async saved(
    file: ImportedFile | ImportedBytes,
    source: string,
    saved: SavedDocument[],
  ): Promise<ImportedResult> {
    const { path } = file;
    try {
      const one = await this.knowledge.saveUntold({ ...(await this.reader.read(file)), path, source });
      saved.push(one);
      return { path, outcome: one.outcome, id: one.document.id, problem: null };
    } catch (error) {
      if (!(error instanceof AppError) || error instanceof ThreadStopped) throw error;
      return { path, outcome: 'failed', id: null, problem: error.message };
    }
  }

  /** Returns the documents that were imported from a source and whose files are not among `paths`. */
  async listRemoved(source: string, paths: ReadonlySet<string>): Promise<ImportedPath[]> {
    const imported = await this.knowledge.listPaths();
    return imported.filter(({ path }) => isOfSource(source, path) && !paths.has(path));
  }
}

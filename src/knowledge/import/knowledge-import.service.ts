import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { AppError } from '../../errors/app-error.js';
import { ThreadStopped } from '../../threads/threads.errors.js';
import type { SavedDocument, SaveOutcome } from '../document.js';
import { KnowledgeService } from '../knowledge.service.js';
import type { ImportedFile } from './imported-file.rules.js';
import { ImportedFileReader } from './imported-file-reader.service.js';

export interface ImportedResult {
  path: string;
  outcome: SaveOutcome | 'failed';
  /** Null when it failed. */
  id: string | null;
  /** Why it failed. */
  problem: string | null;
}

/** So many files. */
const TOLD_AT_ONCE = 100;

/** Makes documents of files. Importing a file again replaces its document, or changes nothing. */
@Injectable()
export class KnowledgeImport {
  constructor(
    private readonly knowledge: KnowledgeService,
    private readonly reader: ImportedFileReader,
  ) {}

  /** What changed is told of many files together: who follows the list of documents would read it after each. */
  async importAll(files: readonly ImportedFile[], source: string): Promise<ImportedResult[]> {
    const results: ImportedResult[] = [];
    for (let start = 0; start < files.length; start += TOLD_AT_ONCE) {
      results.push(...(await this.importSome(files.slice(start, start + TOLD_AT_ONCE), source)));
    }
    return results;
  }

  async importOne(file: ImportedFile, source: string): Promise<ImportedResult> {
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

  /** A file that can't be imported is no reason to stop. */
  private async saved(file: ImportedFile, source: string, saved: SavedDocument[]): Promise<ImportedResult> {
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

  /** Documents imported from a folder whose files are gone. */
  async listRemoved(folder: string, paths: ReadonlySet<string>): Promise<{ id: string; path: string }[]> {
    const imported = await this.knowledge.listPaths();
    return imported.filter(({ path }) => path.startsWith(`${folder}/`) && !paths.has(path));
  }
}

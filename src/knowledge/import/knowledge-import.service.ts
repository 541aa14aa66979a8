import { Injectable } from '@nestjs/common';
import { AppError } from '../../errors/app-error.js';
import type { SaveOutcome } from '../document.js';
import { KnowledgeService } from '../knowledge.service.js';
import type { ImportedFile } from './imported-file.js';
import { toDocument } from './imported-file.rules.js';

export interface ImportedResult {
  path: string;
  outcome: SaveOutcome | 'failed';
  /** Null when it failed. */
  id: string | null;
  /** Why it failed. */
  problem: string | null;
}

/** Makes documents of files. Importing a file again replaces its document, or changes nothing. */
@Injectable()
export class KnowledgeImport {
  constructor(private readonly knowledge: KnowledgeService) {}

  async importAll(files: readonly ImportedFile[], source: string): Promise<ImportedResult[]> {
    const results: ImportedResult[] = [];
    for (const file of files) results.push(await this.importOne(file, source));
    return results;
  }

  /** A file that can't be imported is no reason to stop. */
  async importOne(file: ImportedFile, source: string): Promise<ImportedResult> {
    const { path } = file;
    try {
      const { document, outcome } = await this.knowledge.save({ ...toDocument(file), path, source });
      return { path, outcome, id: document.id, problem: null };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { path, outcome: 'failed', id: null, problem: error.message };
    }
  }

  /** Documents imported from a folder whose files are gone. */
  async listRemoved(folder: string, paths: ReadonlySet<string>): Promise<{ id: string; path: string }[]> {
    const imported = await this.knowledge.listPaths();
    return imported.filter(({ path }) => path.startsWith(`${folder}/`) && !paths.has(path));
  }
}

import { Injectable } from '@nestjs/common';
import { AppError } from '../../../platform/errors/app-error.js';
import { SourceElsewhere } from '../documents/knowledge.errors.js';
import {
  type ImportedResult,
  KnowledgeImport,
  type PreviewedResult,
  type UploadedFile,
} from './knowledge-import.service.js';
import { sourceOfPath } from './source.rules.js';
import { SourceStore } from './source.store.js';

/** The place of uploaded folders. */
const UPLOADED = 'uploads in the administration';

/**
 * Imports uploaded files. A file is identified by its path, as on the command line: the name of its folder and the path in it.
 * Documents that were imported from a folder of the server under this name are not touched.
 */
@Injectable()
export class UploadImport {
  constructor(
    private readonly importer: KnowledgeImport,
    private readonly sources: SourceStore,
  ) {}

  async preview(files: readonly UploadedFile[], source: string): Promise<PreviewedResult[]> {
    const { own, refused } = await this.divided(files, (name) => this.assertOwn(name));
    const previewed = await this.importer.preview(own, source);
    return [...previewed, ...refused.map((result) => ({ ...result, title: null, before: null }))];
  }

  async import(files: readonly UploadedFile[], source: string): Promise<ImportedResult[]> {
    const { own, refused } = await this.divided(files, (name) => this.sources.begin(name, UPLOADED, false));
    return [...(await this.importer.importAll(own, source)), ...refused];
  }

  /** Splits the files by whether `check` accepts the name of their folder; it throws when it does not. */
  private async divided(files: readonly UploadedFile[], check: (name: string) => Promise<void>) {
    const problems = new Map<string, string | null>();
    for (const name of new Set(files.flatMap(({ path }) => sourceOfPath(path) ?? []))) {
      problems.set(name, await problemOf(check(name)));
    }
    const problemWith = ({ path }: UploadedFile) => problems.get(sourceOfPath(path) ?? '') ?? null;
    const refused = files.flatMap((file): ImportedResult[] => {
      const problem = problemWith(file);
      return problem === null ? [] : [{ file: file.path, path: file.path, outcome: 'failed', id: null, problem }];
    });
    return { own: files.filter((file) => problemWith(file) === null), refused };
  }

  /** @throws SourceElsewhere */
  private async assertOwn(name: string): Promise<void> {
    const place = await this.sources.findPlace(name);
    if (place !== undefined && place !== UPLOADED) throw new SourceElsewhere(name, place);
  }
}

/** Returns why a check failed; null when it succeeded. */
async function problemOf(check: Promise<void>): Promise<string | null> {
  try {
    await check;
    return null;
  } catch (error) {
    if (error instanceof AppError && error.kind === 'conflict') return error.message;
    throw error;
  }
}

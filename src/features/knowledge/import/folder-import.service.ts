import { readFile, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import type { SaveOutcome } from '../documents/document.js';
import type { KnowledgeService } from '../knowledge.service.js';
import { fileText } from './file-text.rules.js';
import { type FolderFile, filesOfFolder } from './folder-files.js';
import { isBinaryPath, typeOfPath } from './file-type.rules.js';
import type { ImportedBytes, ImportedFile } from './plain-file.rules.js';
import type { Found, KnowledgeImport } from './knowledge-import.service.js';
import { documentPath, fileOfPart, IMPORT_SOURCE } from './source.rules.js';
import type { SourceStore } from './source.store.js';
import { countOf } from '../../../platform/text/count-of.js';

export interface FolderToImport {
  /** Its absolute path. */
  folder: string;
  name: string;
  /** True when the name moves to this folder if it belongs to another one. */
  moved: boolean;
  /** True when documents whose files, or parts of files, no longer exist are removed. */
  prune: boolean;
  /** True when symbolic links out of the folder are followed. */
  followsOut: boolean;
  /** Called after each file, with its outcome and the total number of files. */
  onFile: (path: string, outcome: string, total: number) => void;
}

export interface FolderReport extends Record<SaveOutcome | 'failed' | 'skipped', number> {
  /** Further notes: documents whose files no longer exist, and files that were not read. */
  notes: string[];
}

const MAX_BYTES = 25_000_000;
const MAX_PATH = 500;
/** Number of file types that are listed individually, most files first; the others are only counted. */
const MOST_TYPES = 10;

/** Imports a folder under a name. Replaces or removes only documents that were imported under this name. */
export class FolderImport {
  constructor(
    private readonly knowledge: KnowledgeService,
    private readonly importer: KnowledgeImport,
    private readonly sources: SourceStore,
  ) {}

  /** @throws SourceElsewhere, and errors of the file system for the folder itself */
  async import({ folder, name, moved, prune, followsOut, onFile }: FolderToImport): Promise<FolderReport> {
    const { files, skipped } = await filesOfFolder(folder, { followsOut });
    await this.sources.begin(name, folder, moved);
    const wanted = files.filter(({ path }) => isReadable(path));
    const report: FolderReport = {
      created: 0,
      updated: 0,
      unchanged: 0,
      failed: 0,
      skipped: skipped.length,
      notes: [],
    };
    report.notes.push(...skipped.map(({ path, reason }) => `${documentPath(name, path)}: skipped: ${reason}`));
    const documents = new Set<string>();
    const unread = new Set([...files, ...skipped].map(({ path }) => documentPath(name, path)));
    for (const file of wanted) {
      const path = documentPath(name, file.path);
      const results = await this.importFile(path, file);
      for (const { outcome } of results) report[outcome] += 1;
      for (const result of results) if (result.path !== undefined) documents.add(result.path);
      if (results.every(({ problem }) => problem === null)) unread.delete(path);
      onFile(path, summaryOf(results), wanted.length);
    }
    report.notes.push(...otherTypes(files.filter(({ path }) => !isReadable(path))));
    report.notes.push(...(await this.removeMissing(name, { documents, unread }, prune)));
    return report;
  }

  private async importFile(path: string, { place }: FolderFile): Promise<FileOutcome[]> {
    const file = await openFile(path, place);
    if ('problem' in file) return [{ outcome: 'skipped', problem: file.problem }];
    return this.importer.importOne(file, IMPORT_SOURCE);
  }

  private async removeMissing(name: string, found: Found, prune: boolean): Promise<string[]> {
    const notes: string[] = [];
    for (const { id, path, source } of await this.importer.listRemoved(name, found)) {
      const isEdited = source !== IMPORT_SOURCE;
      if (prune && !isEdited) await this.knowledge.remove(id, { by: IMPORT_SOURCE });
      const kept = isEdited ? `kept, because ${source ?? 'somebody'} has changed it` : 'kept (--prune removes it)';
      const what = found.documents.has(fileOfPart(path)) ? 'its file is shorter now' : 'its file no longer exists';
      notes.push(`${path}: ${what}; ${prune && !isEdited ? 'removed' : kept}`);
    }
    return notes;
  }
}

interface FileOutcome {
  /** Path of the document; undefined = none. */
  path?: string;
  outcome: SaveOutcome | 'failed' | 'skipped';
  problem: string | null;
}

function summaryOf(results: readonly FileOutcome[]): string {
  const [first] = results;
  const { outcome, problem } = results.find((result) => result.problem !== null) ?? first ?? NOTHING;
  const summary = problem === null ? outcome : `${outcome}: ${problem}`;
  return results.length > 1 ? `${summary} (it is long, and became ${results.length} documents)` : summary;
}

const NOTHING: FileOutcome = { outcome: 'skipped', problem: 'it holds no document' };

const isReadable = (path: string): boolean => typeOfPath(path) !== null || isBinaryPath(path);

async function openFile(path: string, place: string): Promise<ImportedFile | ImportedBytes | { problem: string }> {
  if (path.length > MAX_PATH) return { problem: `its path has more than ${MAX_PATH} characters` };
  const bytes = await bytesOf(place);
  if ('problem' in bytes) return bytes;
  if (isBinaryPath(path)) return { path, bytes };
  const read = fileText(bytes);
  return 'problem' in read ? read : { path, content: read.text };
}

async function bytesOf(place: string): Promise<Uint8Array<ArrayBuffer> | { problem: string }> {
  try {
    const { size } = await stat(place);
    if (size > MAX_BYTES) return { problem: `it is larger than ${MAX_BYTES / 1_000_000} MB` };
    return size === 0 ? { problem: 'it is empty' } : new Uint8Array(await readFile(place));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return { problem: `it cannot be read (${code})` };
  }
}

/** Returns one line about the files of unsupported types, which may be many; nothing when there are none. */
function otherTypes(files: readonly FolderFile[]): string[] {
  if (files.length === 0) return [];
  const counts = new Map<string, number>();
  for (const { path } of files) {
    const type = extname(path).toLowerCase() || 'without an extension';
    counts.set(type, (counts.get(type) ?? 0) + 1);
  }
  const most = [...counts].sort(([, one], [, other]) => other - one).slice(0, MOST_TYPES);
  const types = most.map(([type, count]) => `${type} ${count}`).join(', ');
  return [`Not imported, because their types are not read: ${countOf(files.length, 'file')} (${types}).`];
}

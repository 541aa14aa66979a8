import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { GuardedThread } from '../../threads/guarded-thread.js';
import { JobGivenUp } from '../../threads/threads.errors.js';
import { FileNotRead } from '../knowledge.errors.js';
import type { KnowledgeJobs } from '../knowledge.worker.js';
import {
  type ImportedBytes,
  type ImportedDocument,
  type ImportedFile,
  type ImportedType,
  hasFrontMatter,
  toDocument,
  typeOfPath,
} from './imported-file.rules.js';

/** The thread that reads imported files. */
export const FILE_READER = { name: 'file-reader', entry: 'knowledge/knowledge.worker', heapMegabytes: 256 };

/** Longer files are never read on the main thread. */
const LONG_CHARACTERS = 32_000;

/** Reads files that are to become documents in a separate thread: what a file costs is not known before it is read. */
@Injectable()
export class ImportedFileReader implements BeforeApplicationShutdown {
  protected readonly thread = new GuardedThread<KnowledgeJobs>(FILE_READER);

  /** Converts a file to a document. @throws FileNotRead, ThreadStopped */
  async read(file: ImportedFile | ImportedBytes): Promise<ImportedDocument> {
    const { path } = file;
    const reading = 'bytes' in file ? this.readBytes(file) : this.readText(file);
    return reading.catch((error: unknown) => {
      throw error instanceof JobGivenUp ? new FileNotRead(path, error.reason) : error;
    });
  }

  private async readText({
    path,
    content,
    type = typeOfPath(path) ?? 'text',
  }: ImportedFile): Promise<ImportedDocument> {
    if (isPlain(content, type)) return toDocument({ path, content, type });
    return this.thread.run('toDocument', { path, content, type });
  }

  private async readBytes(file: ImportedBytes): Promise<ImportedDocument> {
    const read = await this.thread.run('binaryToDocument', file);
    if ('problem' in read) throw new FileNotRead(file.path, read.problem);
    return read;
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.thread.stop();
  }
}

/** Returns whether a file is short and needs no library: then it is read faster than a thread can be asked to. */
function isPlain(content: string, type: ImportedType): boolean {
  return content.length < LONG_CHARACTERS && (type === 'text' || (type === 'markdown' && !hasFrontMatter(content)));
}

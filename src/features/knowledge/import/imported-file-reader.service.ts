import { Injectable } from '@nestjs/common';
import { GuardedThread, ThreadOwner } from '../../../platform/threads/guarded-thread.js';
import { JobAborted } from '../../../platform/threads/threads.errors.js';
import { FileNotRead, FileRefused } from '../documents/knowledge.errors.js';
import type { ImportJobs } from './import.worker.js';
import { fileText } from './file-text.rules.js';
import { type ImportedType, needsLibrary, typeOfPath } from './file-type.rules.js';
import {
  hasFrontMatter,
  type ImportedBytes,
  type ImportedDocument,
  type ImportedFile,
  plainDocument,
} from './plain-file.rules.js';

export const FILE_READER = {
  name: 'file-reader',
  entry: 'features/knowledge/import/import.worker',
  heapMegabytes: 256,
};

/** Longer files are never read on the main thread. */
const LONG_CHARACTERS = 32_000;

/** Reads imported files in a separate thread: the cost of a file is not known before it is read. */
@Injectable()
export class ImportedFileReader extends ThreadOwner {
  protected readonly thread = new GuardedThread<ImportJobs>(FILE_READER);

  /** Converts a file to a document. @throws FileNotRead, FileRefused, ThreadStopped */
  async read(file: ImportedFile | ImportedBytes): Promise<ImportedDocument> {
    const [document] = await this.readAll(file);
    if (!document) throw new FileRefused(file.path, 'it is an export without documents');
    return document;
  }

  /**
   * Converts a file to a document, or to several if it is too long, and an export of the knowledge base to all of its documents.
   * @throws FileNotRead, FileRefused, ThreadStopped
   */
  async readAll(file: ImportedFile | ImportedBytes): Promise<ImportedDocument[]> {
    const reading = 'bytes' in file ? this.readBytes(file) : this.readText(file);
    return reading.catch((error: unknown) => {
      throw error instanceof JobAborted ? new FileNotRead(file.path, error.reason) : error;
    });
  }

  private async readText({
    path,
    content,
    type = typeOfPath(path) ?? 'text',
  }: ImportedFile): Promise<ImportedDocument[]> {
    if (isPlain(content, type)) return [plainDocument({ path, content, type })];
    return this.thread.run('toDocuments', { path, content, type });
  }

  private async readBytes(file: ImportedBytes): Promise<ImportedDocument[]> {
    const plain = plainFile(file);
    if (plain !== null) return [plainDocument(plain)];
    const read = await this.thread.run('bytesToDocuments', file);
    if ('problem' in read) throw new FileRefused(file.path, read.problem);
    return read.documents;
  }
}

/** Returns whether a file is short and needs no library: reading it here is then faster than in a thread. */
function isPlain(content: string, type: ImportedType): boolean {
  return content.length < LONG_CHARACTERS && (type === 'text' || (type === 'markdown' && !hasFrontMatter(content)));
}

/** Returns a short file that is certainly text and needs no library; otherwise null. */
function plainFile({ path, bytes }: ImportedBytes) {
  const type = typeOfPath(path);
  if (bytes.length >= LONG_CHARACTERS || (type !== 'markdown' && type !== 'text') || needsLibrary(bytes)) return null;
  const read = fileText(bytes);
  const isText = 'text' in read && isPlain(read.text, type) && !/^\s*(?:<|\{\\rtf)/.test(read.text);
  return isText ? { path, content: read.text, type } : null;
}

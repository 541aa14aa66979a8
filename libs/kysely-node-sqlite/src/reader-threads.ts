import { builtFile, startThread, ThreadPool, type Watch } from '#thread-pool';
import { ReadAborted } from './node-sqlite.errors.js';
import { type PackedRows, unpackRows } from './packed-rows.js';

export interface ReadRequest {
  sql: string;
  parameters: readonly unknown[];
}

interface ReadFailure {
  failure: { message: string; code?: string | undefined; errcode?: number | undefined };
}

export type ReadAnswer = PackedRows | ReadFailure;

const THREADS = 2;
const HEAP_MEGABYTES = 256;

/**
 * Threads that read a database file, each over its own read-only connection. A long statement blocks neither the main thread nor,
 * in WAL mode, writers.
 */
export class ReaderThreads {
  private readonly pool: ThreadPool<ReadRequest, ReadAnswer>;
  private readonly watch: Watch;

  /**
   * @param limitMs how long a statement may take; then its caller gets an error and another thread takes over. The old thread
   * ends with the statement, because SQLite cannot be interrupted in it
   */
  constructor(path: string, limitMs: number) {
    const file = builtFile('reader.worker.js', import.meta.url);
    const thread = { name: 'database-reader', file, workerData: { path }, heapMegabytes: HEAP_MEGABYTES };
    this.pool = new ThreadPool({ start: () => startThread(thread), most: THREADS });
    this.watch = (_thread, end) => {
      const timer = setTimeout(() => end(new ReadAborted(`it took more than ${limitMs} ms`)), limitMs);
      return () => clearTimeout(timer);
    };
  }

  /**
   * Returns the rows of a read-only statement.
   * @param signal drops the statement while it waits for a thread
   * @throws ReadAborted, the reason of the signal, and the errors of SQLite
   */
  async read<Row>(request: ReadRequest, signal?: AbortSignal): Promise<Row[]> {
    const answer = await this.pool.run(request, { signal, watch: this.watch }).catch((error: unknown) => {
      throw error === signal?.reason || error instanceof ReadAborted ? error : new ReadAborted('its thread ended');
    });
    if ('failure' in answer) throw Object.assign(new Error(answer.failure.message), answer.failure);
    return unpackRows<Row>(answer);
  }

  close(): Promise<void> {
    return this.pool.close(new ReadAborted('the database is closed'));
  }
}

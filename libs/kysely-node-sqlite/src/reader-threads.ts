import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { ReadGivenUp } from './node-sqlite.errors.js';

export interface ReadRequest {
  sql: string;
  parameters: readonly unknown[];
}

export type ReadAnswer =
  { rows: unknown[] } | { failure: { message: string; code?: string | undefined; errcode?: number | undefined } };

interface Waiting {
  request: ReadRequest;
  resolve: (rows: unknown[]) => void;
  reject: (error: unknown) => void;
}

const THREADS = 2;
const HEAP_MEGABYTES = 256;

/**
 * Threads that read a database file, each on a read-only connection of its own. A statement may be long: it holds up
 * neither the main thread nor, in the log mode of SQLite, those who write. Threads start when they are needed.
 */
export class ReaderThreads {
  private readonly idle: Worker[] = [];
  private readonly waiting: Waiting[] = [];
  private readonly threads = new Set<Worker>();
  private isClosed = false;

  /**
   * @param limitMs how long a statement may take; then its caller gets an error and another thread takes the place of
   *   its own, which ends with the statement: SQLite cannot be interrupted in it
   */
  constructor(
    private readonly path: string,
    private readonly limitMs: number,
  ) {}

  /** Returns the rows of a statement that only reads. @throws ReadGivenUp, and the errors of SQLite */
  read(request: ReadRequest): Promise<unknown[]> {
    if (this.isClosed) return Promise.reject(new ReadGivenUp('the database is closed'));
    return new Promise((resolve, reject) => {
      this.waiting.push({ request, resolve, reject });
      this.next();
    });
  }

  async close(): Promise<void> {
    this.isClosed = true;
    for (const { reject } of this.waiting.splice(0)) reject(new ReadGivenUp('the database is closed'));
    await Promise.all(
      [...this.threads].map((thread) => {
        thread.ref(); // or else the process might end before its thread has
        return thread.terminate();
      }),
    );
  }

  private next(): void {
    if (this.waiting.length === 0) return;
    const thread = this.idle.pop() ?? (this.threads.size < THREADS ? this.started() : undefined);
    const one = thread && this.waiting.shift();
    if (!one) return;
    this.ask(thread, one.request)
      .then(one.resolve, one.reject)
      .finally(() => {
        if (this.threads.has(thread)) this.idle.push(thread);
        this.next();
      });
  }

  private async ask(thread: Worker, request: ReadRequest): Promise<unknown[]> {
    const answered = new AbortController();
    const { signal } = answered;
    const limit = AbortSignal.timeout(this.limitMs);
    thread.ref();
    try {
      const answer = once(thread, 'message', { signal: AbortSignal.any([signal, limit]) });
      const death = once(thread, 'exit', { signal }).then(() => Promise.reject(new ReadGivenUp('its thread ended')));
      thread.postMessage(request);
      const [told] = (await Promise.race([answer, death])) as [ReadAnswer];
      if ('rows' in told) return told.rows;
      throw Object.assign(new Error(told.failure.message), told.failure);
    } catch (error) {
      if (!limit.aborted) throw error;
      this.giveUp(thread);
      throw new ReadGivenUp(`it took more than ${this.limitMs} ms`);
    } finally {
      answered.abort(); // nobody listens any more
      if (!this.isClosed) thread.unref();
    }
  }

  /** Ends a thread without waiting for it, because it only ends with its statement. */
  private giveUp(thread: Worker): void {
    this.threads.delete(thread);
    thread.terminate().catch(() => undefined);
  }

  private started(): Worker {
    const thread = new Worker(builtFile('reader.worker.js'), {
      name: 'database-reader',
      env: {},
      workerData: { path: this.path },
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES },
    });
    this.threads.add(thread);
    // A thread that fails exits, which is what matters.
    thread.on('error', () => undefined);
    thread.once('exit', () => {
      this.threads.delete(thread);
      const at = this.idle.indexOf(thread);
      if (at >= 0) this.idle.splice(at, 1);
    });
    return thread;
  }
}

/** Threads run the built files, also when the rest runs from the sources, as tests do. */
function builtFile(name: string): string {
  const beside = join(import.meta.dirname, name);
  if (existsSync(beside)) return beside;
  return join(import.meta.dirname, '../../../dist/libs/kysely-node-sqlite/src', name);
}

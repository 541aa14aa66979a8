import { Worker } from 'node:worker_threads';
import { builtFile } from './built-file.js';
import { ReadGivenUp } from './node-sqlite.errors.js';
import { unpackBytes } from './packed-bytes.js';

export interface ReadRequest {
  sql: string;
  parameters: readonly unknown[];
}

type Row = Record<string, unknown>;

interface ReadRows {
  rows: Row[];
  /** The bytes that belong into the rows; null = none. */
  bytes: Uint8Array<ArrayBuffer> | null;
}

interface ReadFailure {
  failure: { message: string; code?: string | undefined; errcode?: number | undefined };
}

export type ReadAnswer = ReadRows | ReadFailure;

interface Waiting {
  request: ReadRequest;
  resolve: (rows: Row[]) => void;
  reject: (error: unknown) => void;
  /** Called when a thread takes it: from then on, it cannot be dropped. */
  begin: () => void;
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

  /**
   * Returns the rows of a statement that only reads.
   * @param signal drops the statement as long as it waits for a thread
   * @throws ReadGivenUp, the reason of the signal, and the errors of SQLite
   */
  read(request: ReadRequest, signal?: AbortSignal): Promise<Row[]> {
    if (this.isClosed) return Promise.reject(new ReadGivenUp('the database is closed'));
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { request, resolve, reject, begin: () => signal?.removeEventListener('abort', drop) };
      const drop = () => this.drop(waiting, signal?.reason);
      signal?.addEventListener('abort', drop, { once: true });
      this.waiting.push(waiting);
      this.next();
    });
  }

  private drop(waiting: Waiting, reason: unknown): void {
    this.waiting.splice(this.waiting.indexOf(waiting), 1);
    waiting.reject(reason);
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
    one.begin();
    this.ask(thread, one.request)
      .then(one.resolve, one.reject)
      .finally(() => {
        if (this.threads.has(thread)) this.idle.push(thread);
        this.next();
      });
  }

  private ask(thread: Worker, request: ReadRequest): Promise<Row[]> {
    thread.postMessage(request); // the answer comes in a later turn
    thread.ref();
    return new Promise<Row[]>((resolve, reject) => {
      const settle = (tell: () => void) => {
        clearTimeout(limit);
        thread.off('message', answered).off('exit', ended);
        if (!this.isClosed) thread.unref();
        tell();
      };
      const answered = (answer: ReadAnswer) =>
        settle(() => ('rows' in answer ? resolve(unpacked(answer)) : reject(errorOf(answer))));
      const ended = () => settle(() => reject(new ReadGivenUp('its thread ended')));
      const limit = setTimeout(() => {
        this.giveUp(thread);
        settle(() => reject(new ReadGivenUp(`it took more than ${this.limitMs} ms`)));
      }, this.limitMs);
      thread.on('message', answered).on('exit', ended);
    });
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

function unpacked({ rows, bytes }: ReadRows): Row[] {
  if (bytes) unpackBytes(rows, bytes);
  return rows;
}

const errorOf = ({ failure }: ReadFailure): Error => Object.assign(new Error(failure.message), failure);

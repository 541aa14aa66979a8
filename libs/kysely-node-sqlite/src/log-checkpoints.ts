import { Worker } from 'node:worker_threads';
import { builtFile } from './built-file.js';

/** Does work while nobody changes the database. */
export type Undisturbed = (work: () => Promise<unknown>) => Promise<void>;

/**
 * Moves the log into the database in a thread of its own, because that means waiting for the disk. The thread starts when
 * there is something to move. SQLite begins the log anew only when all of it has been moved, which may never be so while
 * many changes follow each other: they wait for the last piece of a long log.
 */
export class LogCheckpoints {
  private thread: Worker | null = null; // null = not started yet, or it has failed
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<unknown> = Promise.resolve();
  /** Whether another one follows the one that is running. */
  private isNextDue = false;
  private isClosed = false;

  /** @param afterMs how long after a change the log is moved, with all changes until then */
  constructor(
    private readonly path: string,
    private readonly afterMs: number,
    private readonly undisturbed: Undisturbed,
  ) {}

  /** Has the log moved soon. Call it after a change. */
  due(): void {
    if (this.isClosed || this.timer) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      if (this.isNextDue) return;
      this.isNextDue = true;
      // What could not be moved is moved the next time.
      this.moveAll().catch(() => undefined);
    }, this.afterMs).unref();
  }

  /** Resolves when the log is not being moved. */
  async idle(): Promise<void> {
    await this.running;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.thread?.ref(); // or else the process might end before its thread has
    await this.thread?.terminate();
  }

  private async moveAll(): Promise<void> {
    const pages = await this.next();
    if (pages < LONG_LOG_PAGES || this.isClosed) return;
    await this.undisturbed(() => this.next());
  }

  /** Resolves to the length of the log. */
  private next(): Promise<number> {
    // The one that is running may have begun before the latest change.
    const moved = this.running.then(() => this.move());
    this.running = moved.catch(() => undefined);
    return moved;
  }

  /** Resolves to the pages of the log when the thread has answered, or to 0 when it has failed: then the next one tries. */
  private move(): Promise<number> {
    this.isNextDue = false;
    if (this.isClosed) return Promise.resolve(0);
    const thread = (this.thread ??= this.started());
    return new Promise((resolve) => {
      const answered = (pages: number) => settle(pages);
      const failed = () => settle(0);
      const settle = (pages: number) => {
        thread.off('message', answered).off('exit', failed);
        resolve(pages);
      };
      thread.on('message', answered).on('exit', failed).postMessage('move');
    });
  }

  private started(): Worker {
    const thread = new Worker(builtFile('checkpoint.worker.js'), {
      name: 'database-log',
      env: {},
      workerData: { path: this.path },
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES },
    });
    thread.unref();
    // A thread that fails exits, which is what matters.
    thread.on('error', () => undefined);
    thread.once('exit', () => (this.thread = null));
    return thread;
  }
}

const HEAP_MEGABYTES = 32;
/** 16 MB. */
const LONG_LOG_PAGES = 4_096;

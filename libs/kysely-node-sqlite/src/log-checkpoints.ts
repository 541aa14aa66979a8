import { Worker } from 'node:worker_threads';
import { builtFile } from './built-file.js';

/**
 * Moves the log into the database in a thread of its own, because that means waiting for the disk. The thread starts when
 * there is something to move.
 */
export class LogCheckpoints {
  private thread: Worker | null = null; // null = not started yet, or it has failed
  private timer: NodeJS.Timeout | undefined;
  private running = Promise.resolve();
  /** Whether another one follows the one that is running. */
  private isNextDue = false;
  private isClosed = false;

  /** @param afterMs how long after a change the log is moved, with all changes until then */
  constructor(
    private readonly path: string,
    private readonly afterMs: number,
  ) {}

  /** Has the log moved soon. Call it after a change. */
  due(): void {
    if (this.isClosed || this.timer) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      if (this.isNextDue) return;
      this.isNextDue = true;
      // The one that is running may have begun before the change.
      this.running = this.running.then(() => this.move());
    }, this.afterMs).unref();
  }

  /** Resolves when the log is not being moved. */
  idle(): Promise<void> {
    return this.running;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.thread?.ref(); // or else the process might end before its thread has
    await this.thread?.terminate();
  }

  /** Resolves when the thread has answered, or has failed: then the next one tries again. */
  private move(): Promise<void> {
    this.isNextDue = false;
    if (this.isClosed) return Promise.resolve();
    const thread = (this.thread ??= this.started());
    return new Promise((resolve) => {
      const settle = () => {
        thread.off('message', settle).off('exit', settle);
        resolve();
      };
      thread.on('message', settle).on('exit', settle).postMessage('move');
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

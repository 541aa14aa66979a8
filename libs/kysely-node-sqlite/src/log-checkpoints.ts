import { builtFile, startThread, ThreadPool } from '#thread-pool';
import { PAGE_BYTES } from './node-sqlite.database.js';

/** Runs work while nobody changes the database. */
export type Undisturbed = (work: () => Promise<unknown>) => Promise<void>;

/**
 * Checkpoints the WAL in its own thread, because checkpoints wait for the disk. The thread starts on demand. SQLite restarts the
 * WAL only once all of it has been checkpointed, which may never happen under steady writes: when the WAL is long, writers wait
 * for the last part.
 */
export class LogCheckpoints {
  /** Responds with the number of pages in the WAL. */
  private readonly pool: ThreadPool<'move', number>;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<unknown> = Promise.resolve();
  /** True when another checkpoint follows the running one. */
  private isNextDue = false;
  private isClosed = false;

  /** @param afterMs how long after a change the next checkpoint starts; it includes all changes until then */
  constructor(
    path: string,
    private readonly afterMs: number,
    private readonly undisturbed: Undisturbed,
  ) {
    const file = builtFile('checkpoint.worker.js', import.meta.url);
    const thread = { name: 'database-log', file, workerData: { path }, heapMegabytes: HEAP_MEGABYTES };
    this.pool = new ThreadPool({ start: () => startThread(thread), isBackground: true });
  }

  /** Schedules a checkpoint. Call it after a change. */
  due(): void {
    if (this.isClosed || this.timer) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      if (this.isNextDue) return;
      this.isNextDue = true;
      // The next checkpoint moves whatever this one could not.
      this.moveAll().catch(() => undefined);
    }, this.afterMs).unref();
  }

  /** Resolves when no checkpoint is running. */
  async idle(): Promise<void> {
    await this.running;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    await this.pool.close();
  }

  private async moveAll(): Promise<void> {
    const pages = await this.next();
    if (pages < LONG_LOG_PAGES || this.isClosed) return;
    await this.undisturbed(() => this.next());
  }

  /** Resolves to the number of pages in the WAL. */
  private next(): Promise<number> {
    // The running checkpoint may have started before the latest change.
    const moved = this.running.then(() => this.move());
    this.running = moved.catch(() => undefined);
    return moved;
  }

  /** Resolves to the number of pages in the WAL, or to 0 when the thread failed: the next checkpoint retries. */
  private move(): Promise<number> {
    this.isNextDue = false;
    return this.pool.run('move').catch(() => 0);
  }
}

const HEAP_MEGABYTES = 32;
/** 16 MB. */
const LONG_LOG_PAGES = 16_777_216 / PAGE_BYTES;

import { builtFile, startThread, ThreadPool } from '#thread-pool';
import { PAGE_BYTES } from './node-sqlite.database.js';

/** Does work while nobody changes the database. */
export type Undisturbed = (work: () => Promise<unknown>) => Promise<void>;

/**
 * Moves the log into the database in a thread of its own, because that means waiting for the disk. The thread starts when
 * there is something to move. SQLite begins the log anew only when all of it has been moved, which may never be so while
 * many changes follow each other: they wait for the last piece of a long log.
 */
export class LogCheckpoints {
  /** Answers with the number of pages that the log has. */
  private readonly pool: ThreadPool<'move', number>;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<unknown> = Promise.resolve();
  /** Whether another one follows the one that is running. */
  private isNextDue = false;
  private isClosed = false;

  /** @param afterMs how long after a change the log is moved, with all changes until then */
  constructor(
    path: string,
    private readonly afterMs: number,
    private readonly undisturbed: Undisturbed,
  ) {
    const file = builtFile('checkpoint.worker.js', import.meta.url);
    const thread = { name: 'database-log', file, workerData: { path }, heapMegabytes: HEAP_MEGABYTES };
    this.pool = new ThreadPool({ start: () => startThread(thread), isBackground: true });
  }

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
    await this.pool.close();
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
    return this.pool.run('move').catch(() => 0);
  }
}

const HEAP_MEGABYTES = 32;
/** 16 MB. */
const LONG_LOG_PAGES = 16_777_216 / PAGE_BYTES;

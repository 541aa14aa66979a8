import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { builtFile, startThread, ThreadPool, type Watch, watchCpuTime } from '#thread-pool';

export type Job =
  /** The input is JSON. */
  | { kind: 'jq'; program: string; input: string }
  /** Both are JSON. */
  | { kind: 'validate'; schema: string; data: string };

export type Answer =
  | { kind: 'done'; text: string }
  | { kind: 'failed'; reason: string }
  /** The thread broke, probably because it ran out of memory. */
  | { kind: 'crashed' }
  | { kind: 'timeout' };

/** The thread's message: an answer, and the CPU time that it has used since its start. */
export interface Reply {
  answer: Answer;
  usedMs: number;
}

const HEAP_MEGABYTES = 128;

/** Runs jobs in dedicated threads, each within a time limit. */
export class ExpressionThreads {
  private readonly pool: ThreadPool<Job, Reply>;
  /** CPU time of each thread when it last answered. */
  private readonly usedMs = new WeakMap<Worker, number>();

  /** @param timeLimitMs CPU time that one job may use */
  constructor(
    most: number,
    private readonly timeLimitMs: number,
  ) {
    this.pool = new ThreadPool({ start: () => this.start(), most });
  }

  async run(job: Job): Promise<Answer> {
    let hasStarted = false;
    const watch: Watch = (thread, end) => {
      hasStarted = true;
      const limit = { limitMs: this.timeLimitMs, usedMs: this.usedMs.get(thread) ?? 0 };
      return watchCpuTime(thread, limit, () => end(TIME_IS_OVER));
    };
    try {
      return (await this.pool.run(job, { watch })).answer;
    } catch (error) {
      if (!hasStarted) throw error;
      return { kind: error === TIME_IS_OVER ? 'timeout' : 'crashed' };
    }
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  private async start(): Promise<Worker> {
    const file = builtFile('expressions.worker.js', import.meta.url);
    // jq writes to stdout and stderr when it crashes.
    const thread = startThread({
      name: 'expressions',
      file,
      heapMegabytes: HEAP_MEGABYTES,
      stdout: true,
      stderr: true,
    });
    thread.on('message', ({ usedMs }: Reply) => this.usedMs.set(thread, usedMs));
    await once(thread, 'message'); // it is ready
    return thread;
  }
}

const TIME_IS_OVER = new Error('the job has had its time');

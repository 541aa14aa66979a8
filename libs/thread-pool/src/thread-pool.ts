import type { Transferable, Worker } from 'node:worker_threads';

interface PoolOptions<Answer> {
  /** Starts a thread, and resolves when it can take a job. */
  start: () => Worker | Promise<Worker>;
  /** Maximum number of threads; default: one. */
  most?: number;
  /** Returns whether a thread is kept after an answer; by default, all are. */
  keeps?: (answer: Answer) => boolean;
  /** True when the process may exit during a job; by default, it waits. */
  isBackground?: boolean;
}

/**
 * Starts to watch a job when it starts. Returns a function that is called when the job has ended.
 * @param end ends the job and its thread; the job fails with the reason
 */
export type Watch = (thread: Worker, end: (reason: unknown) => void) => () => void;

interface JobOptions {
  /** Transferred to the thread instead of copied. */
  transfer?: Transferable[];
  /** Drops the job while it waits for a thread. */
  signal?: AbortSignal | undefined;
  watch?: Watch;
}

/** A job that awaits its answer. */
interface Asked<Answer> {
  resolve: (answer: Answer) => void;
  reject: (reason: unknown) => void;
}

interface Waiting {
  begin: () => void;
  reject: (reason: Error) => void;
}

/** Threads that run one job at a time each, in the order of the calls. They start on demand. */
export class ThreadPool<Job, Answer> {
  private readonly threads = new Set<Worker>();
  private readonly asked = new Map<Worker, Asked<Answer>>();
  private readonly idle: Worker[] = [];
  private readonly waiting: Waiting[] = [];
  private busy = 0;
  private closed: Error | null = null; // null = open

  constructor(private readonly options: PoolOptions<Answer>) {}

  /** @throws the reason of the signal, of the watch or of the closing, and the error that ended the thread */
  async run(job: Job, options: JobOptions = {}): Promise<Answer> {
    await this.turn(options.signal);
    try {
      return await this.ask(this.idle.pop() ?? (await this.started()), job, options);
    } finally {
      const next = this.waiting.shift();
      if (next) next.begin();
      else this.busy -= 1;
    }
  }

  endIdle(): void {
    for (const thread of this.idle.splice(0)) this.end(thread);
  }

  /** Ends all threads, and rejects all jobs. */
  async close(reason = new Error('the threads were ended')): Promise<void> {
    this.closed = reason;
    for (const { reject } of this.waiting.splice(0)) reject(reason);
    await Promise.all(
      [...this.threads].map((thread) => {
        thread.ref(); // otherwise the process might exit before its thread
        return thread.terminate();
      }),
    );
  }

  private async turn(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (this.closed) throw this.closed;
    if (this.busy >= (this.options.most ?? 1)) return this.place(signal);
    this.busy += 1;
  }

  private place(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const drop = () => {
        this.waiting.splice(this.waiting.indexOf(waiting), 1);
        waiting.reject(signal?.reason as Error);
      };
      const settled = () => signal?.removeEventListener('abort', drop);
      const waiting: Waiting = {
        begin: () => {
          settled();
          resolve();
        },
        reject: (reason) => {
          settled();
          reject(reason);
        },
      };
      signal?.addEventListener('abort', drop);
      this.waiting.push(waiting);
    });
  }

  private async ask(thread: Worker, job: Job, { transfer = [], watch }: JobOptions): Promise<Answer> {
    let endWatch: (() => void) | undefined;
    try {
      const answer = await new Promise<Answer>((resolve, reject) => {
        this.asked.set(thread, { resolve, reject });
        thread.postMessage(job, transfer);
        if (!this.options.isBackground) thread.ref();
        endWatch = watch?.(thread, reject);
      });
      if (this.options.keeps?.(answer) === false) this.end(thread);
      return answer;
    } catch (error) {
      this.end(thread);
      throw error;
    } finally {
      this.asked.delete(thread);
      endWatch?.();
      if (!this.closed) thread.unref();
      if (this.threads.has(thread)) this.idle.push(thread);
    }
  }

  /** Does not await the termination: a busy thread may take a while. */
  private end(thread: Worker): void {
    this.threads.delete(thread);
    thread.terminate().catch(() => undefined);
  }

  private async started(): Promise<Worker> {
    const thread = await this.options.start();
    if (this.closed) this.end(thread);
    else this.threads.add(thread);
    if (this.options.isBackground) thread.unref();
    thread.on('message', (answer: Answer) => this.asked.get(thread)?.resolve(answer));
    thread.on('error', (error) => this.asked.get(thread)?.reject(error));
    thread.once('exit', () => {
      this.asked.get(thread)?.reject(this.closed ?? new Error('the thread ended'));
      this.threads.delete(thread);
      const at = this.idle.indexOf(thread);
      if (at >= 0) this.idle.splice(at, 1);
    });
    return thread;
  }
}

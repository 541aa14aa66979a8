import { once } from 'node:events';
import type { Transferable, Worker } from 'node:worker_threads';

interface PoolOptions<Answer> {
  /** Starts a thread, and resolves when it can take a job. */
  start: () => Worker | Promise<Worker>;
  /** How many threads there are at most; by default one. */
  most?: number;
  /** Whether a thread stays after an answer; by default, all do. */
  keeps?: (answer: Answer) => boolean;
  /** Whether the process may end in the middle of a job; by default, it waits. */
  isBackground?: boolean;
}

interface JobOptions {
  /** Transferred to the thread instead of copied. */
  transfer?: Transferable[];
  /** Drops the job as long as it waits for a thread. */
  signal?: AbortSignal | undefined;
  /** Called when the job begins. The signal that it returns ends the job, and its thread. */
  limit?: (thread: Worker, answered: AbortSignal) => AbortSignal;
}

interface Waiting {
  begin: () => void;
  reject: (reason: Error) => void;
}

/** Threads that do one job at a time each, in the order of the calls. They start when there is something to do. */
export class ThreadPool<Job, Answer> {
  private readonly threads = new Set<Worker>();
  private readonly idle: Worker[] = [];
  private readonly waiting: Waiting[] = [];
  private busy = 0;
  private closed: Error | null = null; // null = open

  constructor(private readonly options: PoolOptions<Answer>) {}

  /** @throws the reasons of the signals, the reason of the closing, and what ended the thread */
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

  /** Ends the threads that have nothing to do. */
  endIdle(): void {
    for (const thread of this.idle.splice(0)) this.end(thread);
  }

  /** Ends all threads, and gives up all jobs. */
  async close(reason = new Error('the threads were ended')): Promise<void> {
    this.closed = reason;
    for (const { reject } of this.waiting.splice(0)) reject(reason);
    await Promise.all(
      [...this.threads].map((thread) => {
        thread.ref(); // or else the process might end before its thread has
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
      const settled = new AbortController();
      const settle = (tell: () => void) => {
        settled.abort();
        tell();
      };
      const waiting: Waiting = { begin: () => settle(resolve), reject: (reason) => settle(() => reject(reason)) };
      const drop = () => {
        this.waiting.splice(this.waiting.indexOf(waiting), 1);
        waiting.reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', drop, { signal: settled.signal });
      this.waiting.push(waiting);
    });
  }

  private async ask(thread: Worker, job: Job, { transfer = [], limit }: JobOptions): Promise<Answer> {
    const answered = new AbortController();
    try {
      thread.postMessage(job, transfer);
      if (!this.options.isBackground) thread.ref();
      const answer = await answerOf<Answer>(thread, answered.signal, limit?.(thread, answered.signal));
      if (this.options.keeps?.(answer) === false) this.end(thread);
      return answer;
    } catch (error) {
      this.end(thread);
      throw error;
    } finally {
      answered.abort(); // nobody listens any more
      if (!this.closed) thread.unref();
      if (this.threads.has(thread)) this.idle.push(thread);
    }
  }

  /** Does not wait for the end: a busy thread may take a while. */
  private end(thread: Worker): void {
    this.threads.delete(thread);
    thread.terminate().catch(() => undefined);
  }

  private async started(): Promise<Worker> {
    const thread = await this.options.start();
    if (this.closed) this.end(thread);
    else this.threads.add(thread);
    if (this.options.isBackground) thread.unref();
    thread.once('exit', () => {
      this.threads.delete(thread);
      const at = this.idle.indexOf(thread);
      if (at >= 0) this.idle.splice(at, 1);
    });
    return thread;
  }
}

/** @throws the reason of the limit, and what ended the thread */
async function answerOf<Answer>(thread: Worker, answered: AbortSignal, limit?: AbortSignal): Promise<Answer> {
  const options = { signal: limit ? AbortSignal.any([answered, limit]) : answered };
  const death = once(thread, 'exit', options).then(() => Promise.reject(new Error('the thread ended')));
  try {
    const [answer] = (await Promise.race([once(thread, 'message', options), death])) as [Answer];
    return answer;
  } catch (error) {
    limit?.throwIfAborted();
    throw error;
  }
}

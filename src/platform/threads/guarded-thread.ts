import { join } from 'node:path';
import type { Transferable, Worker } from 'node:worker_threads';
import { type BeforeApplicationShutdown, Logger } from '@nestjs/common';
import { startThread, ThreadPool, type Watch, watchCpuTime } from '#thread-pool';
import { PROJECT_ROOT } from '../environment/project-root.js';
import type { JobAnswer, JobRequest, ThreadJobs } from './thread-jobs.js';
import { JobAborted, ThreadStopped } from './threads.errors.js';

export interface ThreadOptions {
  /** Shown to people, such as `feed-reader`. */
  name: string;
  /** The file in `src` that the thread runs, without extension, such as `feeds/feeds.worker`. */
  entry: string;
  /** Heap limit. */
  heapMegabytes: number;
  /** Limit for buffers, which are not part of the heap; default: the same. */
  bufferMegabytes?: number;
  /** How long an idle thread is kept; default: a minute. */
  idleMs?: number;
  /** CPU time that a job may use, and time that it may wait, in milliseconds; default: 20 s. */
  limitMs?: number;
}

interface JobOptions {
  signal?: AbortSignal | undefined;
  /** Transferred to the thread instead of copied. */
  transfer?: Transferable[];
}

const LIMIT_MS = 20_000;
const IDLE_MS = 60_000;
/** How often to check the size of a job's buffers. */
const CHECK_EVERY_MS = 100;
/** More than the garbage of ordinary one-megabyte documents, and less than that of maliciously large ones. */
const MOST_KEPT_MEGABYTES = 96;
const MEGABYTE = 1_000_000;
/** Threads run the built files even in tests, which otherwise run from the sources. */
const BUILT = join(PROJECT_ROOT, 'dist/src');

/**
 * Runs jobs on untrusted input in a separate thread, within limits of CPU time and memory, so that malicious input costs only the
 * thread. Starts the thread on demand, and ends it when it has been idle for a while, or when a job has left much garbage, which
 * would stay in memory until the next job.
 */
export class GuardedThread<Jobs extends ThreadJobs> {
  protected readonly idleMs: number;
  protected readonly heapMegabytes: number;
  protected readonly limitMs: number;
  protected readonly mostKeptMegabytes: number = MOST_KEPT_MEGABYTES;
  private readonly logger = new Logger(GuardedThread.name);
  private readonly stopping = new AbortController();
  private readonly pool = new ThreadPool<JobRequest, JobAnswer>({
    start: () => this.startThread(),
    keeps: ({ heapBytes }) => heapBytes <= this.mostKeptMegabytes * MEGABYTE,
  });
  /** Resolves when all jobs have ended. */
  private ended: Promise<unknown> = Promise.resolve();
  private idleTimer: NodeJS.Timeout | undefined;
  /** CPU time of each thread when it last answered. */
  private readonly usedMs = new WeakMap<Worker, number>();

  constructor(private readonly options: ThreadOptions) {
    this.heapMegabytes = options.heapMegabytes;
    this.idleMs = options.idleMs ?? IDLE_MS;
    this.limitMs = options.limitMs ?? LIMIT_MS;
  }

  /**
   * Runs a job in the thread and returns its result. Jobs run one at a time, in the order of the calls.
   * @throws JobAborted, ThreadStopped, and the reason of the signal
   */
  run<Name extends keyof Jobs & string>(
    name: Name,
    input: Parameters<Jobs[Name]>[0],
    { signal, transfer = [] }: JobOptions = {},
  ): Promise<Awaited<ReturnType<Jobs[Name]>>> {
    const stopped = signal ? AbortSignal.any([signal, this.stopping.signal]) : this.stopping.signal;
    const job = this.runGuarded({ name, input }, transfer, stopped);
    this.ended = Promise.allSettled([this.ended, job]).then(nothing);
    return job as Promise<Awaited<ReturnType<Jobs[Name]>>>;
  }

  /** Aborts running and queued jobs, and accepts no more. */
  async stop(): Promise<void> {
    this.stopping.abort(new ThreadStopped());
    await this.ended;
    clearTimeout(this.idleTimer);
    await this.pool.close();
  }

  /** Calls `onOver` when a job that starts now has used up its time. Returns a function that ends the watch. */
  protected watchTime(thread: Worker, onOver: () => void): () => void {
    return watchCpuTime(thread, { limitMs: this.limitMs, usedMs: this.usedMs.get(thread) ?? 0 }, onOver);
  }

  protected startThread(): Worker {
    const { name, entry } = this.options;
    const thread = startThread({ name, file: join(BUILT, `${entry}.js`), heapMegabytes: this.heapMegabytes });
    thread.on('message', ({ usedMs }: JobAnswer) => this.usedMs.set(thread, usedMs));
    return thread.on('error', (error) => {
      if (!isOutOfMemory(error)) this.logger.error(`the thread ${name} failed: ${String(error)}`);
    });
  }

  private async runGuarded(request: JobRequest, transfer: Transferable[], stopped: AbortSignal): Promise<unknown> {
    try {
      return (await this.pool.run(request, { transfer, signal: stopped, watch: this.watch(stopped) })).result;
    } catch (error) {
      stopped.throwIfAborted();
      throw new JobAborted(this.reasonOf(error));
    } finally {
      clearTimeout(this.idleTimer);
      this.idleTimer = setTimeout(() => this.pool.endIdle(), this.idleMs).unref();
    }
  }

  /** Ends a job when its time is over, when it is stopped, and when its buffers exceed their limit: the heap limit does not count them. */
  private watch(stopped: AbortSignal): Watch {
    const bufferMegabytes = this.options.bufferMegabytes ?? this.heapMegabytes;
    return (thread, end) => {
      const stop = () => end(stopped.reason);
      stopped.addEventListener('abort', stop);
      if (stopped.aborted) stop(); // it fired while the thread was starting
      const endTime = this.watchTime(thread, () => end(TIME_IS_OVER));
      const check = async () => {
        const { external_memory } = await thread.getHeapStatistics();
        if (external_memory > bufferMegabytes * MEGABYTE) end(new OutOfMemory());
      };
      const timer = setInterval(() => void check().catch(nothing), CHECK_EVERY_MS).unref();
      return () => {
        stopped.removeEventListener('abort', stop);
        endTime();
        clearInterval(timer);
      };
    };
  }

  private reasonOf(error: unknown): string {
    if (error === TIME_IS_OVER) return `it takes longer than ${this.limitMs / 1000} s to read`;
    if (isOutOfMemory(error)) return `it takes more than ${this.heapMegabytes} MB of memory to read`;
    return `reading it failed (${String(error)})`;
  }
}

/** A service with a thread. It ends before connections are closed: closing waits for requests, and these may be waiting for a job. */
export abstract class ThreadOwner implements BeforeApplicationShutdown {
  protected abstract readonly thread: { stop(): Promise<void> };

  beforeApplicationShutdown(): Promise<void> {
    return this.thread.stop();
  }
}

const TIME_IS_OVER = new Error('the job has had its time');

/** The error of a thread that exceeds its heap limit. */
class OutOfMemory extends Error {
  readonly code = 'ERR_WORKER_OUT_OF_MEMORY';
}

const nothing = (): void => undefined;

const isOutOfMemory = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { GuardedThread } from '../../src/platform/threads/guarded-thread.js';
import type { ThreadJobs } from '../../src/platform/threads/thread-jobs.js';

/** A thread whose time limit a test triggers, and whose jobs it can count. */
export class WatchedThread<Jobs extends ThreadJobs> extends GuardedThread<Jobs> {
  override heapMegabytes = 256;
  override idleMs = 60_000;
  override mostKeptMegabytes = 96;
  readonly threads: Worker[] = [];
  readonly ends: Promise<unknown>[] = [];
  /** The number of jobs started. */
  jobs = 0;
  /** Ends the time of the job that started last. */
  endTime: () => void = () => undefined;

  protected override watchTime(_thread: Worker, onOver: () => void): () => void {
    this.jobs += 1;
    this.endTime = onOver;
    return () => undefined;
  }

  protected override startThread(): Worker {
    const thread = super.startThread();
    this.threads.push(thread);
    this.ends.push(once(thread, 'exit').catch(() => undefined));
    return thread;
  }
}

import { getHeapStatistics } from 'node:v8';
import { parentPort } from 'node:worker_threads';

/** The jobs of a thread, by name. They may be asynchronous. Their inputs and results are copied between the threads. */
export type ThreadJobs = Record<string, (input: never) => unknown>;

export interface JobRequest {
  name: string;
  input: unknown;
}

export interface JobAnswer {
  result: unknown;
  /** Heap size of the thread after the job, garbage included. */
  heapBytes: number;
  /** CPU time that the thread has used since its start. */
  usedMs: number;
}

/** Runs the requested jobs in the thread. A job that throws ends the thread; GuardedThread starts another. */
export function doJobs(jobs: ThreadJobs): void {
  const post = (result: unknown) => {
    const { user, system } = process.threadCpuUsage();
    const answer: JobAnswer = {
      result,
      heapBytes: getHeapStatistics().total_physical_size,
      usedMs: (user + system) / 1000,
    };
    parentPort?.postMessage(answer);
  };
  const fail = (error: unknown) => {
    throw error;
  };
  parentPort?.on('message', ({ name, input }: JobRequest) => {
    const job = jobs[name] as ((input: unknown) => unknown) | undefined;
    if (!job) throw new TypeError(`this thread has no job ${name}`);
    const result = job(input);
    // A job that rejects ends the thread, too.
    if (result instanceof Promise) result.then(post, (error: unknown) => setImmediate(fail, error));
    else post(result);
  });
}

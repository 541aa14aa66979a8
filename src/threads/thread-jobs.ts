import { parentPort } from 'node:worker_threads';

/** The jobs of a thread, by name. Their inputs and results are copied between the threads; a result may be a promise. */
export type ThreadJobs = Record<string, (input: never) => unknown>;

export interface JobRequest {
  name: string;
  input: unknown;
}

/**
 * Does, in the thread, the jobs that it is asked for. A job that throws ends the thread; GuardedThread starts another.
 */
export function doJobs(jobs: ThreadJobs): void {
  const answer = (result: unknown) => parentPort?.postMessage(result);
  parentPort?.on('message', ({ name, input }: JobRequest) => {
    const job = jobs[name] as ((input: unknown) => unknown) | undefined;
    if (!job) throw new TypeError(`this thread has no job ${name}`);
    const result = job(input);
    if (result instanceof Promise) result.then(answer, endThread);
    else answer(result);
  });
}

/** Throws where nobody catches it. */
function endThread(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

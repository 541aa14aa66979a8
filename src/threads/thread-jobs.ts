import { parentPort } from 'node:worker_threads';

/** What a thread can be asked to do, by name. What goes in and comes out is copied from one thread to the other. */
export type ThreadJobs = Record<string, (input: never) => unknown>;

export interface JobRequest {
  name: string;
  input: unknown;
}

/** In the thread: does the jobs that it is asked for. What throws ends the thread, and GuardedThread starts another. */
export function doJobs(jobs: ThreadJobs): void {
  parentPort?.on('message', ({ name, input }: JobRequest) => {
    const job = jobs[name] as ((input: unknown) => unknown) | undefined;
    if (!job) throw new TypeError(`this thread has no job ${name}`);
    parentPort?.postMessage(job(input));
  });
}

import { AppError } from '../errors/app-error.js';

/** Thrown when a job exceeds its time or memory limit, or fails. */
export class JobAborted extends AppError {
  constructor(readonly reason: string) {
    super('invalid', 'threads.job_given_up', `This can't be processed: ${reason}. Make it shorter or simpler.`);
  }
}

/** Thrown to callers of pending jobs when the service stops; it says nothing about the job. */
export class ThreadStopped extends AppError {
  constructor() {
    const message = 'The service is stopping: try again in a moment.';
    super('unavailable', 'threads.stopped', message, { retryAfterSeconds: 5 });
  }
}

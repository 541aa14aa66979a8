import type { CloudEvent } from '#open-workflow';
import type { InsertedRun } from './claimed-run.js';

export type StartedRun = Omit<InsertedRun, 'partition' | 'status'>;

/** Executes runs durably. */
export abstract class RunEngine {
  /** Starts a run, which is durable when this resolves. Returns false when a run with its id or idempotency key exists. */
  abstract start(run: StartedRun): Promise<boolean>;
  /** Delivers an event to all runs that may wait for its type, now or later; once, even if it is published repeatedly. */
  abstract publish(event: CloudEvent): Promise<void>;
  /** Delivers an answer to a waiting step. Returns false when the step is not, or no longer, waiting: the first answer counts. */
  abstract answer(runId: string, step: string, event: CloudEvent): Promise<boolean>;
  /** Cancels a run and the runs for which it waits. Returns the ids of the cancelled ones. */
  abstract cancel(id: string): Promise<string[]>;

  /** Frees the place of a run while its steps only wait for other runs. Returns a function that ends this. */
  yieldPlace(_runId: string): () => void {
    return () => undefined;
  }
}

/** The reason for stopping the work of a run that continues in another process, or later in this one. */
export class RunReleased extends Error {
  constructor() {
    super('The run goes on in another process, or later.');
  }
}

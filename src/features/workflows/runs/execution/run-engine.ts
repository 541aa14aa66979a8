import type { CloudEvent } from '#open-workflow';
import type { InsertedRun } from './claimed-run.js';

/** A run as it is handed to an engine. */
export type StartedRun = Omit<InsertedRun, 'partition' | 'status'>;

/** Executes runs durably. */
export abstract class RunEngine {
  /** Starts a run: it is durable when this resolves. Returns false when one with its id or idempotency key exists. */
  abstract start(run: StartedRun): Promise<boolean>;
  /** Hands an event to all runs that may wait for its type, now or later; once, however often it is published. */
  abstract publish(event: CloudEvent): Promise<void>;
  /** Gives a step the answer that it waits for. Returns false when it does not wait (any more): the first answer counts. */
  abstract answer(runId: string, step: string, event: CloudEvent): Promise<boolean>;
  /** Cancels a run and the runs that it waits for. Returns the ids of the cancelled ones. */
  abstract cancel(id: string): Promise<string[]>;

  /** Takes no room for a run as long as its steps only wait for other runs. Returns the function that ends this. */
  standAside(_runId: string): () => void {
    return () => undefined;
  }
}

/** Why what a run does is stopped: it goes on in another process, or later in this one. */
export class RunReleased extends Error {
  constructor() {
    super('The run goes on in another process, or later.');
  }
}

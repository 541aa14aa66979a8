import { setImmediate } from 'node:timers/promises';
import type { DurableSteps } from '../durable-steps.js';
import { InMemoryStore, Process } from './in-memory-store.js';
import { InMemorySteps } from './in-memory-steps.js';

export type Execution<T> =
  | { status: 'completed'; value: T }
  | { status: 'failed'; error: unknown }
  /** Nothing to do until an event arrives, or time passes. */
  | { status: 'waiting' }
  | { status: 'crashed' };

/**
 * A run whose steps are kept in memory, with its own clock, for tests: it can die at any step, and be executed again as if by
 * another process.
 */
export class InMemoryRun extends InMemoryStore {
  /** Executes the run until it has ended, waits, or the process dies. */
  async execute<T>(work: (steps: DurableSteps) => Promise<T>): Promise<Execution<T>> {
    const process = new Process(this);
    let ended: Execution<T> | null = null;
    work(new InMemorySteps(this, process, null)).then(
      (value) => (ended = { status: 'completed', value }),
      (error: unknown) => (ended = { status: 'failed', error }),
    );
    for (;;) {
      await setImmediate();
      if (ended !== null) return ended;
      if (process.isDead) return { status: 'crashed' };
      if (process.wakeThoseDue() || process.underWay > 0) continue;
      if (this.options.isTimePassing === false || !this.letTimePass(process)) {
        process.isDead = true;
        return { status: 'waiting' };
      }
    }
  }

  private letTimePass(process: Process): boolean {
    const next = Math.min(...process.waiting.map(({ record }) => record.wakeAt ?? Infinity));
    if (next === Infinity) return false;
    this.now = Math.max(this.now, next);
    return true;
  }
}

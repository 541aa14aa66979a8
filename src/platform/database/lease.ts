import { randomUUID } from 'node:crypto';
import type { KeyValueStore } from './key-value.store.js';

/** Short, so that another replica soon continues the work of one that was killed. */
const LEASE_MS = 9_000;
const RENEWED_EVERY_MS = 3_000;

/** Lets one replica at a time do some work, however long it takes: the lease is renewed meanwhile. */
export class Lease {
  private readonly owner = randomUUID();

  /** @param name the same on all replicas */
  constructor(
    private readonly facts: KeyValueStore,
    private readonly name: string,
  ) {}

  /**
   * Works while this process holds the lease. Returns false when another one holds it, or has taken it meanwhile, because this
   * one could not renew it in time.
   * @param work ends, or throws, soon after the signal `lost`
   */
  async hold(now: () => Date, work: (lost: AbortSignal) => Promise<void>): Promise<boolean> {
    if (!(await this.claim(now()))) return false;
    const lost = new AbortController();
    const stop = repeat(RENEWED_EVERY_MS, async () => {
      if (!(await this.claim(now()))) lost.abort();
    });
    try {
      await work(lost.signal);
    } catch (error) {
      if (!lost.signal.aborted) throw error;
    } finally {
      await stop();
      await this.claim(now(), 0); // ends the lease
    }
    return !lost.signal.aborted;
  }

  private claim(now: Date, forMs = LEASE_MS): Promise<boolean> {
    return this.facts.claim(this.name, this.owner, now, new Date(now.getTime() + forMs));
  }
}

/** Repeats work, never twice at once, also after it has failed. Returns the function that stops it and waits for its end. */
function repeat(everyMs: number, work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  const timer = setInterval(() => {
    running ??= work()
      .catch(() => undefined)
      .finally(() => (running = null));
  }, everyMs).unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}

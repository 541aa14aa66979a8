import { setTimeout as pause } from 'node:timers/promises';

const POLL_EVERY_MS = 5;

/** A run that is being inserted, claimed or loaded before its execution. */
export interface Claim {
  /** True when there was news of the run in the meantime. */
  isNudged: boolean;
}

/**
 * The runs that are about to be executed here. A run has at most one claim and one execution: another one would start its steps a
 * second time.
 */
export class Claims {
  private readonly byRun = new Map<string, Claim>();

  get size(): number {
    return this.byRun.size;
  }

  begin(id: string): Claim {
    const claim = { isNudged: false };
    this.byRun.set(id, claim);
    return claim;
  }

  get(id: string): Claim | undefined {
    return this.byRun.get(id);
  }

  /** Returns false once the run has been cancelled, or released with all others. */
  has(id: string, claim: Claim): boolean {
    return this.byRun.get(id) === claim;
  }

  end(id: string): void {
    this.byRun.delete(id);
  }

  endAll(): void {
    this.byRun.clear();
  }

  /** Waits until all current claims have ended. Returns false when that takes too long. */
  async settle(withinMs: number): Promise<boolean> {
    const current = [...this.byRun];
    const deadline = performance.now() + withinMs;
    while (current.some(([id, claim]) => this.has(id, claim))) {
      if (performance.now() > deadline) return false;
      await pause(POLL_EVERY_MS);
    }
    return true;
  }
}

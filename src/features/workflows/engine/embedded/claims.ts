import { setTimeout as pause } from 'node:timers/promises';

const LOOK_EVERY_MS = 5;

/** A run that is being inserted, claimed or loaded before its execution. */
export interface Taking {
  /** True when there was news of the run in the meantime. */
  isNudged: boolean;
}

/**
 * The runs that are about to be executed here. A run has at most one claim and one execution: another one would start its steps a
 * second time.
 */
export class Claims {
  private readonly byRun = new Map<string, Taking>();

  get size(): number {
    return this.byRun.size;
  }

  begin(id: string): Taking {
    const taking = { isNudged: false };
    this.byRun.set(id, taking);
    return taking;
  }

  get(id: string): Taking | undefined {
    return this.byRun.get(id);
  }

  /** Returns false once the run has been cancelled, or given up with all others. */
  has(id: string, taking: Taking): boolean {
    return this.byRun.get(id) === taking;
  }

  end(id: string): void {
    this.byRun.delete(id);
  }

  endAll(): void {
    this.byRun.clear();
  }

  /** Waits until all current claims have ended. Returns false when that takes too long. */
  async settle(withinMs: number): Promise<boolean> {
    const begun = [...this.byRun];
    const deadline = performance.now() + withinMs;
    while (begun.some(([id, taking]) => this.has(id, taking))) {
      if (performance.now() > deadline) return false;
      await pause(LOOK_EVERY_MS);
    }
    return true;
  }
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import { DatabaseUnavailable } from './database.errors.js';

interface Waiting<Item, Written> {
  item: Item;
  resolve: (written: Written | undefined) => void;
  reject: (error: unknown) => void;
}

export interface GatheringLimits {
  /** What is written in one transaction. */
  most: number;
  /** Transactions. */
  atOnce: number;
}

/** Turns of the event loop without another one after which all are here. */
const PATIENT_TURNS = 2;

/**
 * Writes what several callers bring at the same time in one transaction: what comes while others are being written waits
 * for the next one. When that fails, but not for what is wrong with the database, each is written alone, so that a failure
 * is only of the one that caused it.
 */
export class GatheredWrites<Item, Written> {
  private waiting: Waiting<Item, Written>[] = [];
  private writing = 0;

  /** @param write writes all or throws; returns what became of those that there was something to write of */
  constructor(
    private readonly write: (items: readonly Item[]) => Promise<ReadonlyMap<Item, Written>>,
    private readonly limits: GatheringLimits,
  ) {}

  /** Resolves to what became of the item; undefined when there was nothing to write. @throws what writing it throws */
  add(item: Item): Promise<Written | undefined> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      this.writeAll().catch(reject);
    });
  }

  private async writeAll(): Promise<void> {
    if (this.writing >= this.limits.atOnce) return;
    this.writing += 1;
    try {
      while (this.waiting.length > 0) {
        await this.allHere();
        const some = this.waiting.splice(0, this.limits.most);
        if (some.length > 0) await this.writeTogether(some);
      }
    } finally {
      this.writing -= 1;
    }
  }

  /** Resolves when no more come: the callers of one transaction come back at about the same time. */
  private async allHere(): Promise<void> {
    for (let [turns, seen] = [0, 0]; turns < PATIENT_TURNS && this.waiting.length < this.limits.most; turns += 1) {
      if (this.waiting.length > seen) [turns, seen] = [0, this.waiting.length];
      await nextTurn();
    }
  }

  private async writeTogether(some: readonly Waiting<Item, Written>[]): Promise<void> {
    if (some.length === 1) return this.writeAlone(some);
    try {
      const written = await this.write(some.map(({ item }) => item));
      for (const { item, resolve } of some) resolve(written.get(item));
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) return this.writeAlone(some);
      for (const { reject } of some) reject(error);
    }
  }

  private async writeAlone(some: readonly Waiting<Item, Written>[]): Promise<void> {
    await Promise.all(
      some.map(({ item, resolve, reject }) => this.write([item]).then((written) => resolve(written.get(item)), reject)),
    );
  }
}

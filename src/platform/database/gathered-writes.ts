import { setImmediate as nextTurn } from 'node:timers/promises';
import { DatabaseUnavailable } from './database.errors.js';

interface Waiting<Item, Written> {
  item: Item;
  resolve: (written: Written | undefined) => void;
  reject: (error: unknown) => void;
}

export interface GatheringLimits {
  /** Maximum number of items per transaction. */
  most: number;
  /** Maximum number of concurrent transactions. */
  atOnce: number;
}

/** After so many turns of the event loop without a new item, the batch is complete. */
const PATIENT_TURNS = 2;

/**
 * Batches concurrent writes into one transaction; items that arrive during a write go into the next batch. If a batch fails for
 * another reason than an unavailable database, each item is written separately, so that only the faulty one fails.
 */
export class GatheredWrites<Item, Written> {
  private waiting: Waiting<Item, Written>[] = [];
  private writing = 0;

  /** @param write writes all or throws; returns the results of the items that had something to write */
  constructor(
    private readonly write: (items: readonly Item[]) => Promise<ReadonlyMap<Item, Written>>,
    private readonly limits: GatheringLimits,
  ) {}

  /** Resolves to the result of the item; undefined when there was nothing to write. @throws the error of writing the item */
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

  /** Resolves when no more items arrive: callers of the same transaction resume at about the same time. */
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

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Collection } from './collection.js';
import type { Embedding } from './models/embedding.rules.js';
import { SignIndex } from './sign-index.js';
import type { ItemSigns, VectorStore } from './vector.store.js';

const LOADED_AT_ONCE = 500;
/** Minimum number of removed items that may stay in memory before everything is reloaded. */
const SPARE = 1_000;

/** Holds the signs of the embeddings of one collection in memory, for the current space. */
export class CollectionIndex {
  private space: string | null = null;
  private index: SignIndex | null = null; // null = no item is embedded in the space
  private lastBatch: number | null = null; // null = nothing loaded yet
  private additions = 0;
  private most = 0; // beyond this size, half of the items may be removed ones
  private refreshing: Promise<void> = Promise.resolve();

  constructor(
    private readonly collection: Collection,
    private readonly vectors: VectorStore,
  ) {}

  /** Loads the signs of items that any process has embedded since the last time. */
  refresh(space: string): Promise<void> {
    // Run one after the other, even after failures: two searches may use different spaces.
    this.refreshing = this.refreshing.then(
      () => this.load(space),
      () => this.load(space),
    );
    return this.refreshing;
  }

  /** Returns the ids of the nearest items, as SignIndex does; none when the last refresh was for another space. */
  async nearest(space: string, signs: Uint8Array, count: number, among: ReadonlySet<number> | null): Promise<number[]> {
    return this.space === space && this.index ? this.index.nearest(signs, count, among) : [];
  }

  /** Returns whether a query can be compared with the items: it has as many dimensions as the newest of them. */
  fits(space: string, { signs }: Embedding): boolean {
    return this.space !== space || !this.index || this.index.bytesEach === signs.length;
  }

  /** Number of items in memory; some of them may have been removed. */
  get size(): number {
    return this.index?.size ?? 0;
  }

  /** Changes when items are added. */
  get version(): number {
    return this.additions;
  }

  /** Removes items that were missing in the database, unless some were added after `version`: they may be there again. */
  removeAll(ids: readonly number[], version: number): void {
    if (this.additions !== version) return;
    for (const id of ids) this.index?.remove(id);
  }

  private async load(space: string): Promise<void> {
    if (this.space !== space) [this.space, this.index, this.lastBatch] = [space, null, null];
    // There are no events for removed items: they are dropped when a search finds them, or here.
    const isAll = this.lastBatch === null || this.size > this.most;
    const since = isAll ? null : this.lastBatch;
    let index = isAll ? null : this.index;
    let after: ItemSigns | null = null;
    for (;;) {
      const page: ItemSigns[] = await this.vectors.listSigns(this.collection, space, {
        since,
        after,
        limit: LOADED_AT_ONCE,
      });
      for (const item of page) index = withSigns(index, item);
      this.additions += page.length;
      after = page.at(-1) ?? after;
      if (page.length < LOADED_AT_ONCE) break;
      await nextTurn();
    }
    this.index = index;
    if (isAll) this.most = 2 * this.size + SPARE;
    // Only now: a batch may continue on the next page.
    this.lastBatch = after?.batch ?? this.lastBatch;
  }
}

/** Returns an index with the signs of one more item: the same index, or a new one when the number of dimensions differs. */
function withSigns(index: SignIndex | null, { id, signs }: ItemSigns): SignIndex | null {
  if (signs.length === 0) return index; // the item cannot be embedded
  // The newest items have the model's number of dimensions; items with another number will be embedded again.
  const fitting = index?.bytesEach === signs.length ? index : new SignIndex(signs.length);
  fitting.put(id, signs);
  return fitting;
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Collection } from './collection.js';
import type { Embedding } from './models/embedding.rules.js';
import { SignIndex } from './sign-index.js';
import type { ItemSigns, VectorStore } from './vector.store.js';

const LOADED_AT_ONCE = 500;

/** Holds the signs of the embeddings of one collection in memory, in the space that is in use. */
export class CollectionIndex {
  private space: string | null = null;
  private index: SignIndex | null = null; // null = nothing is embedded in the space
  private lastBatch: number | null = null; // null = nothing is loaded
  private refreshing: Promise<void> = Promise.resolve();

  constructor(
    private readonly collection: Collection,
    private readonly vectors: VectorStore,
  ) {}

  /** Loads the signs of items that any process has embedded since the last time. */
  refresh(space: string): Promise<void> {
    // One after the other, whatever came of the one before: two searches may be about different spaces.
    this.refreshing = this.refreshing.then(
      () => this.load(space),
      () => this.load(space),
    );
    return this.refreshing;
  }

  /** Returns the ids of the nearest items, as SignIndex does; none when the space is not that of the last refresh. */
  async nearest(space: string, signs: Uint8Array, count: number, among: ReadonlySet<number> | null): Promise<number[]> {
    return this.space === space && this.index ? this.index.nearest(signs, count, among) : [];
  }

  /** Whether a query can be compared with the items: as many dimensions as the newest of them have. */
  fits(space: string, { signs }: Embedding): boolean {
    return this.space !== space || !this.index || this.index.bytesEach === signs.length;
  }

  removeAll(ids: readonly number[]): void {
    for (const id of ids) this.index?.remove(id);
  }

  private async load(space: string): Promise<void> {
    if (this.space !== space) [this.space, this.index, this.lastBatch] = [space, null, null];
    const since = this.lastBatch;
    let after: ItemSigns | null = null;
    for (;;) {
      const page: ItemSigns[] = await this.vectors.listSigns(this.collection, space, {
        since,
        after,
        limit: LOADED_AT_ONCE,
      });
      for (const item of page) this.put(item);
      after = page.at(-1) ?? after;
      if (page.length < LOADED_AT_ONCE) break;
      await nextTurn();
    }
    // Only now: of what a page began, the next one may hold the rest.
    this.lastBatch = after?.batch ?? this.lastBatch;
  }

  private put({ id, signs }: ItemSigns): void {
    if (signs.length === 0) return; // the item cannot be embedded
    // The newest tell how many dimensions the model has: those of another number are embedded again.
    if (this.index?.bytesEach !== signs.length) this.index = new SignIndex(signs.length);
    this.index.put(id, signs);
  }
}

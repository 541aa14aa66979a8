import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Collection } from './collection.js';
import type { Embedding } from './models/embedding.rules.js';
import { SignIndex } from './sign-index.js';
import type { ItemSigns, VectorStore } from './vector.store.js';

const LOADED_AT_ONCE = 500;
/** How many of those that are gone are kept at least before all is loaded anew. */
const SPARE = 1_000;

/** Holds the signs of the embeddings of one collection in memory, in the space that is in use. */
export class CollectionIndex {
  private space: string | null = null;
  private index: SignIndex | null = null; // null = nothing is embedded in the space
  private lastBatch: number | null = null; // null = nothing is loaded
  private most = 0; // with more than so many, half of them may be gone
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

  /** How many it holds; some of them may be gone. */
  get size(): number {
    return this.index?.size ?? 0;
  }

  removeAll(ids: readonly number[]): void {
    for (const id of ids) this.index?.remove(id);
  }

  private async load(space: string): Promise<void> {
    if (this.space !== space) [this.space, this.index, this.lastBatch] = [space, null, null];
    // Nobody tells of what is removed: it is forgotten when a search meets it, or here.
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
      after = page.at(-1) ?? after;
      if (page.length < LOADED_AT_ONCE) break;
      await nextTurn();
    }
    this.index = index;
    if (isAll) this.most = 2 * this.size + SPARE;
    // Only now: of what a page began, the next one may hold the rest.
    this.lastBatch = after?.batch ?? this.lastBatch;
  }
}

/** Returns an index with the signs of one more item: the same, or another one when the dimensions are others. */
function withSigns(index: SignIndex | null, { id, signs }: ItemSigns): SignIndex | null {
  if (signs.length === 0) return index; // the item cannot be embedded
  // The newest tell how many dimensions the model has: those of another number are embedded again.
  const fitting = index?.bytesEach === signs.length ? index : new SignIndex(signs.length);
  fitting.put(id, signs);
  return fitting;
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Collection } from './collection.js';
import type { EmbeddingModel } from './models/embedding-model.js';
import type { VectorStore } from './vector.store.js';
import type { Embedding } from './models/embedding.rules.js';
import { embedTexts } from './models/refused-texts.js';
import { DimensionsChanged } from './models/semantic.errors.js';

export interface BatchOptions {
  /** The collections that the model may currently embed. */
  collections: readonly Collection[];
  signal: AbortSignal;
}

/** The position in a collection: items are embedded from the newest to the oldest, in passes until none is missing. */
interface Place {
  /** The id below which the pass continues. */
  before: number | 'newest' | 'end';
  /** True when the current pass has saved anything; if not, the missing items cannot be embedded now. */
  saved: boolean;
  done: boolean;
}

/** Embeds missing items with one model, one batch at a time, of each collection in turn. */
export class EmbeddingRound {
  private readonly places = new Map<Collection, Place>();
  private turn = 0;
  private dimensions: number | null = null; // null = nothing embedded yet

  constructor(
    private readonly model: EmbeddingModel,
    private readonly vectors: VectorStore,
  ) {}

  /** Returns whether no item is missing. */
  async isDone(collections: readonly Collection[]): Promise<boolean> {
    for (const collection of collections) {
      const { items, embedded } = await this.vectors.count(collection, this.model.space);
      if (embedded < items) return false;
    }
    return true;
  }

  /** Restarts finished collections, because items have been saved. */
  reopen(): void {
    this.places.clear();
  }

  /** Embeds one batch; returns false, and does nothing, when nothing is missing. @throws DimensionsChanged, errors of the model */
  async embedNext({ collections, signal }: BatchOptions): Promise<boolean> {
    for (let tried = 0; tried < collections.length; tried += 1) {
      this.turn += 1;
      const collection = collections[this.turn % collections.length];
      const ids = collection ? await this.listMissing(collection) : [];
      if (!collection || ids.length === 0) continue;
      await this.embed(collection, ids, signal);
      return true;
    }
    return false;
  }

  private async listMissing(collection: Collection): Promise<number[]> {
    const place = this.placeOf(collection);
    const { space, textsAtOnce } = this.model;
    while (!place.done) {
      if (place.before === 'end') {
        if (!place.saved) break;
        // More items may have been saved meanwhile.
        [place.before, place.saved] = ['newest', false];
      }
      if (place.before === 'newest' && (await this.isDone([collection]))) break;
      const before = place.before === 'newest' ? null : place.before;
      const { ids, next } = await this.vectors.listMissing(collection, space, before, textsAtOnce);
      place.before = next ?? 'end';
      if (ids.length > 0) return ids;
      await nextTurn();
    }
    place.done = true;
    return [];
  }

  private async embed(collection: Collection, ids: readonly number[], signal: AbortSignal) {
    const place = this.placeOf(collection);
    const items = await collection.listTexts(ids);
    const texts = items.map(({ text }) => text);
    const embeddings =
      texts.length === 0
        ? []
        : await embedTexts(this.model, texts, () => ({ urgent: false, timeoutMs: TIMEOUT_MS, signal }));
    for (const embedding of embeddings) if (embedding) this.assertSameDimensions(embedding);
    if (this.dimensions !== null) await this.deleteOthers(collection, this.dimensions);
    const embedded = items.map(({ id, revision }, index) => ({ id, revision, embedding: embeddings[index] ?? null }));
    if ((await this.vectors.save(collection, this.model.space, embedded)) > 0) place.saved = true;
  }

  // Otherwise, a model that alternates would have everything embedded again without end. The next round starts later each time.
  private assertSameDimensions({ values }: Embedding): void {
    this.dimensions ??= values.length;
    if (values.length !== this.dimensions)
      throw new DimensionsChanged(this.model.space, this.dimensions, values.length);
  }

  /** The model under this name has been replaced: everything that the old one embedded is embedded again. */
  private async deleteOthers(collection: Collection, dimensions: number): Promise<void> {
    while ((await this.vectors.deleteOthers(collection, this.model.space, dimensions)) > 0) await nextTurn();
  }

  private placeOf(collection: Collection): Place {
    const known = this.places.get(collection);
    if (known) return known;
    const place: Place = { before: 'newest', saved: false, done: false };
    this.places.set(collection, place);
    return place;
  }
}

const TIMEOUT_MS = 60_000;

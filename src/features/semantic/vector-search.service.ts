import { Injectable } from '@nestjs/common';
import type { Collection } from './collection.js';
import { CollectionIndex } from './collection-index.js';
import { Collections } from './collections.service.js';
import { type Embedding, isOfIdentifiers, NEAR_ENOUGH, nearnessOf, similarity } from './models/embedding.rules.js';
import { type SemanticMatch, type SemanticQuery, SemanticSearch } from './semantic-search.js';
import type { EmbeddingModel } from './models/embedding-model.js';
import { EmbeddingModels } from './models/embedding-models.service.js';
import { QueryEmbeddings } from './query-embeddings.service.js';
import { type ItemVector, VectorStore } from './vector.store.js';

/** Items that are selected by their signs, and then ranked by their full vectors; enough to miss hardly any good one. */
const CANDIDATES = 400;
/** With at least this many wanted items among the candidates, they include the best of all wanted items. */
const ENOUGH = 100;
/** Number of wanted items to search when hardly any candidate is wanted. */
const MOST_WANTED = 10_000;

/** Searches collections by the embeddings of their items. Keeps the signs of all embeddings in memory. */
@Injectable()
export class VectorSearch extends SemanticSearch {
  private readonly indexes = new Map<Collection, CollectionIndex>();

  constructor(
    private readonly models: EmbeddingModels,
    private readonly queries: QueryEmbeddings,
    private readonly vectors: VectorStore,
    private readonly collections: Collections,
  ) {
    super();
  }

  override register(collection: Collection): void {
    this.collections.register(collection);
  }

  override async find(collection: Collection, { query, among, limit, lacks }: SemanticQuery): Promise<SemanticMatch[]> {
    const model = this.models.currentFor(collection);
    if (model === null || isOfIdentifiers(query)) return [];
    const index = this.indexOf(collection);
    const [known] = await Promise.all([this.queries.find(model, query, lacks), index.refresh(model.space)]);
    const isOfAnother = known !== null && !index.fits(model.space, known);
    const embedding = isOfAnother ? await this.queries.findAgain(model, query, lacks) : known;
    if (!embedding) return [];
    if (!index.fits(model.space, embedding)) {
      // The model under this name has been replaced: the embedder notices when it embeds one item again.
      lacks?.add('index');
      await this.vectors.deleteOthers(collection, model.space, embedding.values.length, 1);
      return [];
    }
    const found = await this.candidates(collection, model, embedding, among);
    return ranked(found, model, embedding).slice(0, limit);
  }

  /** Returns the vectors of the candidates. Items that were deleted in the meantime are dropped and replaced by others. */
  private async candidates(
    collection: Collection,
    { space }: EmbeddingModel,
    embedding: Embedding,
    among: SemanticQuery['among'],
  ): Promise<ItemVector[]> {
    const index = this.indexOf(collection);
    for (;;) {
      const { version } = index;
      const ids = await candidatesFor(index, space, embedding, among);
      const found = await this.vectors.list(collection, space, ids);
      const present = new Set(found.map(({ id }) => id));
      const missing = ids.filter((id) => !present.has(id));
      index.removeAll(missing, version);
      if (missing.length === 0 || found.length >= ENOUGH) return found;
    }
  }

  private indexOf(collection: Collection): CollectionIndex {
    const known = this.indexes.get(collection);
    if (known) return known;
    const index = new CollectionIndex(collection, this.vectors);
    this.indexes.set(collection, index);
    return index;
  }
}

function ranked(
  found: readonly ItemVector[],
  { unrelatedBelow }: EmbeddingModel,
  { values }: Embedding,
): SemanticMatch[] {
  const byNearness = found
    .filter((vector) => vector.values.length === values.length)
    .map((vector) => ({ id: vector.id, near: similarity(values, vector.values) }))
    .sort((a, b) => b.near - a.near);
  const least = unrelatedBelow ?? -1;
  // If even the nearest is unrelated, the nearness of the others is meaningless.
  const nearness = (byNearness[0]?.near ?? 0) < least ? [] : nearnessOf(byNearness.map(({ near }) => near));
  return byNearness.map(({ id, near }, rank) => ({
    id,
    near,
    nearness: nearness[rank] ?? 0,
    isEnough: (nearness[rank] ?? 0) >= NEAR_ENOUGH && near >= least,
  }));
}

async function candidatesFor(
  index: CollectionIndex,
  space: string,
  { signs }: Embedding,
  among: SemanticQuery['among'],
): Promise<number[]> {
  const nearest = await index.nearest(space, signs, CANDIDATES, null);
  if (among === null || nearest.length === 0) return nearest;
  const wanted = await among.keep(nearest);
  if (wanted.length >= ENOUGH || nearest.length < CANDIDATES) return wanted;
  return index.nearest(space, signs, CANDIDATES, new Set(await among.list(MOST_WANTED)));
}

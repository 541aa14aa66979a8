import { Injectable } from '@nestjs/common';
import type { Collection } from './collection.js';
import { Collections } from './collections.service.js';
import { Embedder, type EmbeddingProgress } from './embedder.service.js';
import { EmbeddingModels } from './models/embedding-models.service.js';
import { QueryEmbeddings } from './query-embeddings.service.js';
import { VectorStore } from './vector.store.js';

export interface CollectionProgress {
  name: Collection['name'];
  /** True when semantic search is on. */
  isOn: boolean;
  items: number;
  embedded: number;
}

export interface EmbeddingsReport extends EmbeddingProgress {
  builtinIsInstalled: boolean;
  /** Why searches currently use only words; null = they do not. */
  searchProblem: string | null;
  collections: CollectionProgress[];
}

/** Reports the current model, its progress and its problems. */
@Injectable()
export class EmbeddingReport {
  constructor(
    private readonly models: EmbeddingModels,
    private readonly collections: Collections,
    private readonly vectors: VectorStore,
    private readonly embedder: Embedder,
    private readonly queries: QueryEmbeddings,
  ) {}

  async make(): Promise<EmbeddingsReport> {
    const collections: CollectionProgress[] = [];
    for (const collection of this.collections.all) collections.push(await this.progressOf(collection));
    return {
      ...this.embedder.progress(),
      builtinIsInstalled: this.models.builtinIsInstalled,
      searchProblem: this.queries.problem(),
      collections,
    };
  }

  private async progressOf(collection: Collection): Promise<CollectionProgress> {
    const { name } = collection;
    const model = this.models.currentFor(collection);
    if (!model) return { name, isOn: false, items: 0, embedded: 0 };
    return { name, isOn: true, ...(await this.vectors.count(collection, model.space)) };
  }
}

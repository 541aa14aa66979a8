import { Injectable } from '@nestjs/common';
import { PassageStore } from '../passages/passage.store.js';
import { type Embedding, nearEnough, similarity } from './embedding.rules.js';
import { EmbeddingsApi } from './embeddings-api.service.js';
import { type MeaningQuery, MeaningSearch } from './meaning-search.js';
import { QueryEmbeddings } from './query-embeddings.service.js';
import { SignIndex } from './sign-index.js';
import { type PassageSigns, VectorStore } from './vector.store.js';

/**
 * Passages that are chosen by their signs and then ranked by their whole vectors; enough to miss hardly any good one.
 */
const CANDIDATES = 400;
const LOADED_AT_ONCE = 2_000;
/** Loaded again each time: what another replica saved a moment ago may carry an earlier time than what is known. */
const OVERLAP_MS = 60_000;

/** Searches passages by their embeddings. Keeps the signs of all embeddings in memory. */
@Injectable()
export class EmbeddedPassages extends MeaningSearch {
  private space: string | null = null;
  private index: SignIndex | null = null;
  private knownUntil: Date | null = null;
  private refreshing: Promise<void> | null = null;

  constructor(
    private readonly api: EmbeddingsApi,
    private readonly queries: QueryEmbeddings,
    private readonly vectors: VectorStore,
    private readonly passages: PassageStore,
  ) {
    super();
  }

  override async find({ query, tags, limit }: MeaningQuery): Promise<number[]> {
    const { space } = this.api;
    if (space === null) return [];
    const [embedding] = await Promise.all([this.queries.find(space, query), this.refresh(space)]);
    const { index } = this;
    if (!embedding || !index || this.space !== space) return [];
    const among = tags.length === 0 ? null : new Set(await this.passages.listIdsWithTags(tags));
    const candidates = index.nearest(embedding.signs, CANDIDATES, among);
    return (await this.ranked(space, embedding, candidates, index)).slice(0, limit);
  }

  private async ranked(space: string, { values }: Embedding, ids: number[], index: SignIndex): Promise<number[]> {
    const found = await this.vectors.list(space, ids);
    const present = new Set(found.map(({ id }) => id));
    for (const id of ids) if (!present.has(id)) index.remove(id); // deleted in the meantime
    const ranked = found
      .map((vector) => ({ id: vector.id, near: similarity(values, vector.values) }))
      .sort((a, b) => b.near - a.near);
    const least = nearEnough(ranked.map(({ near }) => near));
    return ranked.filter(({ near }) => near >= least).map(({ id }) => id);
  }

  /** Loads the signs of passages that any process has embedded since the last time. */
  private refresh(space: string): Promise<void> {
    this.refreshing ??= this.load(space).finally(() => (this.refreshing = null));
    return this.refreshing;
  }

  private async load(space: string): Promise<void> {
    if (this.space !== space) [this.space, this.index, this.knownUntil] = [space, null, null];
    const since = this.knownUntil && new Date(this.knownUntil.getTime() - OVERLAP_MS);
    let last: PassageSigns | null = null;
    for (;;) {
      const page: PassageSigns[] = await this.vectors.listSigns(space, since, last, LOADED_AT_ONCE);
      for (const { id, signs } of page) {
        if (signs.length === 0) continue; // the passage can't be embedded
        this.index ??= new SignIndex(signs.length);
        this.index.put(id, signs);
      }
      last = page.at(-1) ?? last;
      if (last) this.knownUntil = last.embeddedAt;
      if (page.length < LOADED_AT_ONCE) return;
    }
  }
}

import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Lack } from '../../../platform/text/search-lacks.rules.js';
import { SemanticSearch } from '../../semantic/semantic-search.js';
import { PassageVectors } from './passage-vectors.store.js';

export interface PassageQuery {
  query: string;
  /** The document must have all of them. */
  tags: readonly string[];
  limit: number;
  /** Takes what the answer lacks. */
  lacks?: Set<Lack> | undefined;
}

/** Finds passages by meaning, whatever their words. */
@Injectable()
export class SemanticPassages implements OnModuleInit {
  constructor(
    private readonly meaning: SemanticSearch,
    private readonly passages: PassageVectors,
  ) {}

  onModuleInit(): void {
    this.meaning.register(this.passages);
  }

  /** Returns the ids of passages, the most similar first; none when no model is set or it does not answer. */
  async find({ query, tags, limit, lacks }: PassageQuery): Promise<number[]> {
    const among = tags.length === 0 ? null : this.passages.withTags(tags);
    return (await this.meaning.find(this.passages, { query, among, limit, lacks })).map(({ id }) => id);
  }
}

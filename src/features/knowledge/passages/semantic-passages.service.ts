import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Lack } from '../../../platform/text/search-lacks.rules.js';
import { type SemanticMatch, SemanticSearch } from '../../semantic/semantic-search.js';
import { PassageVectors } from './passage-vectors.store.js';

/** Number of passages whose similarity the search returns. */
const MOST_SIMILAR = 400;

export interface PassageQuery {
  query: string;
  /** The document must have all of them. */
  tags: readonly string[];
  /** Collects what the results lack. */
  lacks?: Set<Lack> | undefined;
}

/** Finds passages by semantic search. */
@Injectable()
export class SemanticPassages implements OnModuleInit {
  constructor(
    private readonly meaning: SemanticSearch,
    private readonly passages: PassageVectors,
  ) {}

  onModuleInit(): void {
    this.meaning.register(this.passages);
  }

  /** Returns the most similar passages first; none when no model is configured, or it does not respond. */
  find({ query, tags, lacks }: PassageQuery): Promise<SemanticMatch[]> {
    const among = tags.length === 0 ? null : this.passages.withTags(tags);
    return this.meaning.find(this.passages, { query, among, limit: MOST_SIMILAR, lacks });
  }
}

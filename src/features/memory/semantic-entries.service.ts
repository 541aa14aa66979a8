import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Lack } from '../../platform/text/search-lacks.rules.js';
import { type SemanticMatch, SemanticSearch } from '../semantic/semantic-search.js';
import { EntryVectors } from './entry-vectors.store.js';

export interface EntryQuery {
  query: string;
  namespace: string | null; // null = all
  /** The entry must have all of them. */
  tags: readonly string[];
  limit: number;
  /** Collects what the results lack. */
  lacks?: Set<Lack> | undefined;
}

@Injectable()
export class SemanticEntries implements OnModuleInit {
  constructor(
    private readonly meaning: SemanticSearch,
    private readonly entries: EntryVectors,
  ) {}

  onModuleInit(): void {
    this.meaning.register(this.entries);
  }

  /** Returns the most similar entries first; none when no model may read the memory, or it does not respond. */
  async find({ query, namespace, tags, limit, lacks }: EntryQuery, now: Date): Promise<SemanticMatch[]> {
    const among = this.entries.alive({ namespace, tags }, now);
    const found = await this.meaning.find(this.entries, { query, among, limit, lacks });
    return found.filter(({ isEnough }) => isEnough);
  }
}

import { Injectable } from '@nestjs/common';
import { excerptOf } from '../database/full-text/excerpt.rules.js';
import { matcherOf, parseTextQuery } from '../database/full-text/text-query.rules.js';
import type { Coverage } from '../database/full-text/text-search.js';
import { normalTags } from '../database/full-text/words.rules.js';
import type { KnowledgeHit } from './document.js';
import { type PassageOfDocument, PassageStore } from './passage.store.js';

export interface KnowledgeQuery {
  query: string;
  /** The document must have them all. */
  tags?: readonly string[] | undefined;
  limit: number;
}

// Several passages of one document may match; one of each is shown.
const PASSAGES_PER_HIT = 5;

/** Finds documents by what their passages say. */
@Injectable()
export class KnowledgeSearch {
  constructor(private readonly passages: PassageStore) {}

  /** The best match comes first. No query is an error; one without a word finds nothing. */
  async search({ query, tags = [], limit }: KnowledgeQuery): Promise<KnowledgeHit[]> {
    const parsed = parseTextQuery(query);
    const wanted = normalTags(tags);
    const matches = await this.passages.search({
      query: parsed,
      tags: wanted,
      limit: limit * PASSAGES_PER_HIT,
    });
    const found = await this.passages.list(matches.map(({ id }) => id));
    const byId = new Map(found.map((passage) => [passage.id, passage]));
    const isMatch = matcherOf(parsed);
    const hits = new Map<string, KnowledgeHit>();
    for (const { id, has } of matches) {
      const passage = byId.get(id);
      if (hits.size === limit) break;
      if (passage && !hits.has(passage.documentId)) {
        hits.set(passage.documentId, toHit(passage, has, isMatch));
      }
    }
    return [...hits.values()];
  }
}

function toHit(passage: PassageOfDocument, has: Coverage, isMatch: (word: string) => boolean): KnowledgeHit {
  const { document, headings, content } = passage;
  return { document, headings, excerpt: excerptOf(content, isMatch), has };
}

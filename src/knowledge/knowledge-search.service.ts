import { Injectable } from '@nestjs/common';
import { fuseWithMeaning } from '../semantic/rank-fusion.rules.js';
import { excerptOf } from '../text/excerpt.rules.js';
import { isEmptyQuery, matcherOf, parseTextQuery } from '../text/text-query.rules.js';
import { normalTags } from '../text/words.rules.js';
import type { KnowledgeHit, Match } from './document.js';
import { PassageMeaning } from './passages/passage-meaning.service.js';
import { type PassageOfDocument, PassageStore } from './passages/passage.store.js';

export interface KnowledgeQuery {
  query: string;
  /** The document must have all of them. */
  tags?: readonly string[] | undefined;
  limit: number;
}

interface Found {
  id: number;
  match: Match;
}

interface MatchingPassage {
  passage: PassageOfDocument;
  match: Match;
}

const PASSAGES_PER_HIT = 5;
const MOST_PASSAGES = 1_000;

/** Finds documents by the words of their passages and by their meaning. */
@Injectable()
export class KnowledgeSearch {
  constructor(
    private readonly passages: PassageStore,
    private readonly meaning: PassageMeaning,
  ) {}

  /** Returns the matching documents, the best match first. Accepts any query; one without a word finds nothing. */
  async search({ query, tags = [], limit }: KnowledgeQuery): Promise<KnowledgeHit[]> {
    const parsed = parseTextQuery(query);
    if (isEmptyQuery(parsed)) return [];
    const wanted = normalTags(tags);
    const byWords = async (count: number): Promise<Found[]> => {
      const matches = await this.passages.search({ query: parsed, tags: wanted, limit: count });
      return matches.map(({ id, has }) => ({ id, match: has }));
    };
    const byMeaning = async (count: number): Promise<Found[]> => {
      if (parsed.phrases.length > 0) return []; // a quoted phrase asks for exact words
      const ids = await this.meaning.find({ query, tags: wanted, limit: count });
      return ids.map((id) => ({ id, match: 'meaning' }));
    };
    const [worded, meant] = await Promise.all([this.bestOfEach(byWords, limit), this.bestOfEach(byMeaning, limit)]);
    const isMatch = matcherOf(parsed);
    const hasAllWords = [...worded.values()].some(({ match }) => match === 'all');
    return fuseWithMeaning([...worded.keys()], [...meant.keys()], hasAllWords)
      .slice(0, limit)
      .flatMap((id) => worded.get(id) ?? meant.get(id) ?? [])
      .map((best) => toHit(best, isMatch));
  }

  /**
   * Returns the best passage of each document, keyed by document id. Looks at more passages as long as too few
   * documents are found, because one document may have nearly all of the passages.
   */
  private async bestOfEach(
    find: (count: number) => Promise<Found[]>,
    limit: number,
  ): Promise<Map<string, MatchingPassage>> {
    for (let count = limit * PASSAGES_PER_HIT; ; count *= PASSAGES_PER_HIT) {
      const found = await find(count);
      const best = firstOfEach(found, await this.passages.list(found.map(({ id }) => id)));
      if (best.size >= limit || found.length < count || count >= MOST_PASSAGES) return best;
    }
  }
}

/** Returns the first passage of each document; leaves out passages that no longer exist. */
function firstOfEach(found: readonly Found[], passages: readonly PassageOfDocument[]): Map<string, MatchingPassage> {
  const byId = new Map(passages.map((passage) => [passage.id, passage]));
  const first = new Map<string, MatchingPassage>();
  for (const { id, match } of found) {
    const passage = byId.get(id);
    if (passage && !first.has(passage.documentId)) first.set(passage.documentId, { passage, match });
  }
  return first;
}

function toHit({ passage, match }: MatchingPassage, isMatch: (word: string) => boolean): KnowledgeHit {
  const { document, headings, content } = passage;
  return { document, headings, excerpt: excerptOf(content, isMatch), match };
}

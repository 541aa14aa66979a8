import { Injectable } from '@nestjs/common';
import { excerptOf } from '../database/full-text/excerpt.rules.js';
import { isEmptyQuery, matcherOf, parseTextQuery } from '../database/full-text/text-query.rules.js';
import { normalTags } from '../database/full-text/words.rules.js';
import type { KnowledgeHit, Match } from './document.js';
import { type PassageOfDocument, PassageStore } from './passage.store.js';
import { MeaningSearch } from './semantic/meaning-search.js';
import { fuseRankings } from './semantic/rank-fusion.rules.js';

export interface KnowledgeQuery {
  query: string;
  /** The document must have them all. */
  tags?: readonly string[] | undefined;
  limit: number;
}

interface MatchingPassage {
  passage: PassageOfDocument;
  match: Match;
}

// Several passages of one document may match; one of each is shown.
const PASSAGES_PER_HIT = 5;

/** Finds documents by what their passages say, and by what they mean. */
@Injectable()
export class KnowledgeSearch {
  constructor(
    private readonly passages: PassageStore,
    private readonly meaning: MeaningSearch,
  ) {}

  /** The best match comes first. No query is an error; one without a word finds nothing. */
  async search({ query, tags = [], limit }: KnowledgeQuery): Promise<KnowledgeHit[]> {
    const parsed = parseTextQuery(query);
    if (isEmptyQuery(parsed)) return [];
    const where = { tags: normalTags(tags), limit: limit * PASSAGES_PER_HIT };
    const [byWords, byMeaning] = await Promise.all([
      this.passages.search({ query: parsed, ...where }),
      // Who quotes a phrase wants that phrase.
      parsed.phrases.length > 0 ? [] : this.meaning.find({ query, ...where }),
    ]);
    const found = await this.passages.list([...new Set([...byWords.map(({ id }) => id), ...byMeaning])]);
    const byId = new Map(found.map((passage) => [passage.id, passage]));
    const worded = bestOfEach(byWords.map(({ id, has }) => ({ passage: byId.get(id), match: has })));
    const meant = bestOfEach(byMeaning.map((id) => ({ passage: byId.get(id), match: 'meaning' })));
    const documents = fuseRankings([[...worded.keys()], [...meant.keys()]]);
    const isMatch = matcherOf(parsed);
    return documents.slice(0, limit).flatMap((id) => {
      const best = worded.get(id) ?? meant.get(id);
      return best ? [toHit(best, isMatch)] : [];
    });
  }
}

/** The first passage of each document, by the document's id; those that are gone are left out. */
function bestOfEach(
  matches: readonly { passage: PassageOfDocument | undefined; match: Match }[],
): Map<string, MatchingPassage> {
  const best = new Map<string, MatchingPassage>();
  for (const { passage, match } of matches) {
    if (passage && !best.has(passage.documentId)) best.set(passage.documentId, { passage, match });
  }
  return best;
}

function toHit({ passage, match }: MatchingPassage, isMatch: (word: string) => boolean): KnowledgeHit {
  const { document, headings, content } = passage;
  return { document, headings, excerpt: excerptOf(content, isMatch), match };
}

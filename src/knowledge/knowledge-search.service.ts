import { Injectable } from '@nestjs/common';
import { fuseRankings, fuseWithMeaning } from '../semantic/rank-fusion.rules.js';
import { matchesIn } from '../text/excerpt.rules.js';
import { languageOf } from '../text/language.rules.js';
import { isEmptyQuery, matcherOf, parseTextQuery, type TextQuery } from '../text/text-query.rules.js';
import { normalTags } from '../text/words.rules.js';
import type { KnowledgeHit, Match, PlacedPassage } from './document.js';
import { PassageMeaning, type PassageQuery } from './passages/passage-meaning.service.js';
import { type PassageOfDocument, type PassageSearch, PassageStore } from './passages/passage.store.js';

export interface KnowledgeQuery {
  query: string;
  /** The document must have all of them. */
  tags?: readonly string[] | undefined;
  limit: number;
}

/** A document and its best passage. */
interface Candidate {
  documentId: string;
  passageId: number;
  match: Match;
}

/** The documents that have the words of a query. */
interface Worded {
  byPassage: Candidate[];
  /** Their ids, in another order. */
  byWhole: string[];
}

/** Passages that are looked at first; more are looked at when they belong to too few documents. */
const PASSAGES = 400;
const PASSAGES_PER_HIT = 5;
const MOST_PASSAGES = 1_000;
/** How much the ranking of whole documents counts beside that of their best passages. */
const WHOLE_DOCUMENTS = 0.4;

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
    const [worded, meant] = await Promise.all([
      this.findByWords({ query: parsed, tags: wanted, limit }),
      // A quoted phrase asks for exact words.
      parsed.phrases.length > 0 ? [] : this.findByMeaning({ query, tags: wanted, limit }),
    ]);
    const candidates = new Map([...meant, ...worded.byPassage].map((candidate) => [candidate.documentId, candidate]));
    const byWords = fuseRankings([idsOf(worded.byPassage), worded.byWhole], { weights: [1, WHOLE_DOCUMENTS] });
    const hasAllWords = worded.byPassage.some(({ match }) => match === 'all');
    const best = fuseWithMeaning(byWords, idsOf(meant), hasAllWords)
      .slice(0, limit)
      .flatMap((id) => candidates.get(id) ?? []);
    return this.toHits(best, parsed);
  }

  /** Returns the passage at a position of a document; undefined when there is none. */
  async findPassage(documentId: string, position: number): Promise<PlacedPassage | undefined> {
    const passage = await this.passages.find(documentId, position);
    return passage && { passage, neighbours: await this.passages.neighboursOf({ documentId, position }) };
  }

  /** Ranks the documents that have the words by their best passages, and by the whole documents. */
  private async findByWords({ query, tags, limit }: PassageSearch): Promise<Worded> {
    for (let count = PASSAGES; ; count = MOST_PASSAGES) {
      const { matches, terms } = await this.passages.search({ query, tags, limit: count });
      const best = await this.bestOfEach(matches);
      if (best.length < limit && matches.length >= count && count < MOST_PASSAGES) continue;
      const wholes = await this.passages.relevanceOfDocuments(idsOf(best), terms);
      return {
        byPassage: best.map(({ documentId, id, has }) => ({ documentId, passageId: id, match: has })),
        byWhole: idsOf(best).sort((a, b) => (wholes.get(b) ?? 0) - (wholes.get(a) ?? 0)),
      };
    }
  }

  private async findByMeaning({ query, tags, limit }: PassageQuery): Promise<Candidate[]> {
    for (let count = limit * PASSAGES_PER_HIT; ; count *= PASSAGES_PER_HIT) {
      const ids = await this.meaning.find({ query, tags, limit: count });
      const best = await this.bestOfEach(ids.map((id) => ({ id })));
      if (best.length < limit && ids.length >= count && count < MOST_PASSAGES) continue;
      return best.map(({ id, documentId }) => ({ documentId, passageId: id, match: 'meaning' }));
    }
  }

  /** Returns the first passage of each document; leaves out passages that no longer exist. */
  private async bestOfEach<Found extends { id: number }>(
    found: readonly Found[],
  ): Promise<(Found & { documentId: string })[]> {
    const documents = await this.passages.documentsOf(found.map(({ id }) => id));
    const first = new Map<string, Found & { documentId: string }>();
    for (const one of found) {
      const documentId = documents.get(one.id);
      if (documentId !== undefined && !first.has(documentId)) first.set(documentId, { ...one, documentId });
    }
    return [...first.values()];
  }

  private async toHits(found: readonly Candidate[], query: TextQuery): Promise<KnowledgeHit[]> {
    const passages = await this.passages.list(found.map(({ passageId }) => passageId));
    const byId = new Map(passages.map((passage) => [passage.id, passage]));
    const present = found.flatMap(({ passageId, match }) => {
      const passage = byId.get(passageId); // removed in the meantime
      return passage ? [{ passage, match }] : [];
    });
    return Promise.all(present.map((one) => this.toHit(one, query)));
  }

  private async toHit({ passage, match }: MatchingPassage, query: TextQuery): Promise<KnowledgeHit> {
    const { document, documentId, position, headings, content, start, lead } = passage;
    return {
      document,
      passage: { position, headings, content, start, lead },
      neighbours: await this.passages.neighboursOf({ documentId, position }),
      matches: matchesIn(content, matcherOf(query, languageOf(content))),
      match,
    };
  }
}

const idsOf = (found: readonly { documentId: string }[]): string[] => found.map(({ documentId }) => documentId);

interface MatchingPassage {
  passage: PassageOfDocument;
  match: Match;
}

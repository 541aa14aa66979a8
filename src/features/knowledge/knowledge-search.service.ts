import { Injectable } from '@nestjs/common';
import { fuseRankings, fuseWithSemantic } from '../semantic/rank-fusion.rules.js';
import { matchesIn } from '../../platform/text/excerpt.rules.js';
import { type Lack, searchedPart } from '../../platform/text/search-lacks.rules.js';
import { byTelling } from '../../platform/text/ranking.rules.js';
import { isEmptyQuery, matcherOf, parseTextQuery, type TextQuery } from '../../platform/text/text-query.rules.js';
import { normalTags } from '../../platform/text/words.rules.js';
import type { FoundPart, KnowledgeHit, Match, PlacedPassage } from './documents/document.js';
import { isHollow } from './passages/hollow.rules.js';
import { SemanticPassages, type PassageQuery } from './passages/semantic-passages.service.js';
import { type PassageOfDocument, type PassageSearch, PassageStore } from './passages/passage.store.js';

export interface KnowledgeQuery {
  query: string;
  /** The document must have all of them. */
  tags?: readonly string[] | undefined;
  limit: number;
  /** Takes what the answer lacks. */
  lacks?: Set<Lack> | undefined;
  /** Ends the search. */
  signal?: AbortSignal | undefined;
}

/** A document and the passages of it that were found. */
interface Candidate {
  documentId: string;
  /** The best first. */
  passages: readonly FoundMatch[];
}

interface FoundMatch {
  id: number;
  match: Match;
}

/** The documents that have the words of a query. */
interface Worded {
  byPassage: Candidate[];
  /** Their ids, in another order. */
  byWhole: string[];
}

/** Passages that are looked at first; more are looked at when they belong to too few documents. */
const PASSAGES = 300;
const PASSAGES_PER_HIT = 5;
const MOST_PASSAGES = 1_000;
/** Documents that are ranked as a whole, those with the best passages: the score of any other does not suffice. */
const WHOLES = 80;
const WHOLES_PER_HIT = 3;
/** How much the ranking of whole documents counts beside that of their best passages. */
const WHOLE_DOCUMENTS = 0.4;
/** Passages of a document of which the first that says something is shown; of the best document, the next, too. */
const CHOICES = { best: 4, others: 2 };

/** Finds documents by the words of their passages and by their meaning. */
@Injectable()
export class KnowledgeSearch {
  constructor(
    private readonly passages: PassageStore,
    private readonly meaning: SemanticPassages,
  ) {}

  /** Returns the matching documents, the best match first. Accepts any query; one without a word finds nothing. */
  async search({ query: asked, tags = [], limit, lacks, signal }: KnowledgeQuery): Promise<KnowledgeHit[]> {
    const query = searchedPart(asked, lacks);
    const parsed = parseTextQuery(query);
    if (isEmptyQuery(parsed)) return [];
    const wanted = normalTags(tags);
    const [worded, meant] = await Promise.all([
      this.findByWords({ query: parsed, tags: wanted, limit, signal }),
      // A quoted phrase asks for exact words.
      parsed.phrases.length > 0 ? [] : this.findSemantically({ query, tags: wanted, limit, lacks }),
    ]);
    const hasAllWords = worded.byPassage.some(({ passages }) => passages[0]?.match === 'all');
    const byWords = fuseRankings([idsOf(worded.byPassage), worded.byWhole], { weights: [1, WHOLE_DOCUMENTS] });
    const best = fuseWithSemantic(byWords, idsOf(meant), hasAllWords).slice(0, limit);
    const [wordedIn, meantIn] = [passagesByDocument(worded.byPassage), passagesByDocument(meant)];
    return this.toHits(
      best.map((id) => inOrder(wordedIn.get(id) ?? [], meantIn.get(id) ?? [])),
      parsed,
    );
  }

  /** Returns the passage at a position of a document; undefined when there is none. */
  findPassage(documentId: string, position: number): Promise<PlacedPassage | undefined> {
    return this.passages.find(documentId, position);
  }

  /** Ranks the documents that have the words by their best passages, and by the whole documents. */
  private async findByWords({ query, tags, limit, signal }: PassageSearch): Promise<Worded> {
    for (let count = PASSAGES; ; count = MOST_PASSAGES) {
      const { matches, terms, averages } = await this.passages.search({ query, tags, limit: count, signal });
      const found = await this.byDocument(matches);
      if (found.size < limit && matches.length >= count && count < MOST_PASSAGES) continue;
      const ids = [...found.keys()].slice(0, Math.max(WHOLES, limit * WHOLES_PER_HIT));
      const wholes = await this.passages.relevanceOfDocuments(ids, { terms, averages });
      return {
        byPassage: [...found].map(([documentId, passages]) => {
          const inDocument = passages.sort((one, other) => one.id - other.id);
          const telling = byTelling(inDocument, terms, averages);
          return { documentId, passages: telling.map(({ id, has }) => ({ id, match: has })) };
        }),
        byWhole: ids.sort((one, other) => (wholes.get(other) ?? 0) - (wholes.get(one) ?? 0)),
      };
    }
  }

  private async findSemantically({ query, tags, limit, lacks }: PassageQuery): Promise<Candidate[]> {
    for (let count = limit * PASSAGES_PER_HIT; ; count *= PASSAGES_PER_HIT) {
      const ids = await this.meaning.find({ query, tags, limit: count, lacks });
      const found = await this.byDocument(ids.map((id) => ({ id })));
      if (found.size < limit && ids.length >= count && count < MOST_PASSAGES) continue;
      return [...found].map(([documentId, passages]) => ({
        documentId,
        passages: passages.map(({ id }) => ({ id, match: 'meaning' })),
      }));
    }
  }

  /** Returns the passages of each document, both in their order; leaves out passages that no longer exist. */
  private async byDocument<Found extends { id: number }>(
    found: readonly Found[],
  ): Promise<Map<string, [Found, ...Found[]]>> {
    const documents = await this.passages.documentsOf(found.map(({ id }) => id));
    const grouped = new Map<string, [Found, ...Found[]]>();
    for (const one of found) {
      const documentId = documents.get(one.id);
      if (documentId === undefined) continue;
      const others = grouped.get(documentId);
      if (others) others.push(one);
      else grouped.set(documentId, [one]);
    }
    return grouped;
  }

  /** @param found the passages of each document, the best first */
  private async toHits(found: readonly (readonly FoundMatch[])[], query: TextQuery): Promise<KnowledgeHit[]> {
    const ids = found
      .flatMap((passages, rank) => passages.slice(0, rank === 0 ? CHOICES.best : CHOICES.others))
      .map(({ id }) => id);
    const byId = new Map((await this.passages.list(ids)).map((passage) => [passage.id, passage]));
    const hits: KnowledgeHit[] = [];
    for (const passages of found) {
      const present = passages.flatMap(({ id, match }) => {
        const passage = byId.get(id); // it may have been removed in the meantime
        return passage ? [{ passage, match }] : [];
      });
      const saying = present.filter(({ passage }) => !isHollow(passage.content));
      const [best, next] = saying.length > 0 ? saying : present;
      if (!best) continue;
      const also = hits.length === 0 && next ? toPart(next.passage, query) : null;
      hits.push({ document: best.passage.document, ...toPart(best.passage, query), match: best.match, also });
    }
    return hits;
  }
}

function toPart(found: PassageOfDocument, query: TextQuery): FoundPart {
  const { position, headings, content, start, lead, neighbours, language } = found;
  return {
    passage: { position, headings, content, start, lead },
    neighbours,
    matches: matchesIn(content, matcherOf(query, language)),
  };
}

/** Returns the passages of one document that were found by words or by meaning, the best first. */
function inOrder(worded: readonly FoundMatch[], meant: readonly FoundMatch[]): FoundMatch[] {
  const matches = new Map([...meant, ...worded].map(({ id, match }) => [id, match]));
  const ids = fuseWithSemantic(
    worded.map(({ id }) => id),
    meant.map(({ id }) => id),
    worded[0]?.match === 'all',
  );
  return ids.map((id) => ({ id, match: matches.get(id) ?? 'meaning' }));
}

const passagesByDocument = (found: readonly Candidate[]): Map<string, readonly FoundMatch[]> =>
  new Map(found.map(({ documentId, passages }) => [documentId, passages]));

const idsOf = (found: readonly { documentId: string }[]): string[] => found.map(({ documentId }) => documentId);

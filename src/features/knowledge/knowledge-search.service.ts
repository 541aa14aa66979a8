import { Injectable, type OnModuleInit } from '@nestjs/common';
import { matchesIn } from '../../platform/text/excerpt.rules.js';
import { type Lack, searchedPart } from '../../platform/text/search-lacks.rules.js';
import { distinctivenessOf } from '../../platform/text/ranking.rules.js';
import { isEmptyQuery, matcherOf, parseTextQuery, type TextQuery } from '../../platform/text/text-query.rules.js';
import { normalTags } from '../../platform/text/words.rules.js';
import { type SemanticMatch, SemanticSearch } from '../semantic/semantic-search.js';
import type { FoundPart, KnowledgeHit, PlacedPassage } from './documents/document.js';
import {
  type Candidate,
  type PassageMatch,
  rankDocuments,
  type RankedDocument,
} from './passages/found-passages.rules.js';
import { isHollow } from './passages/hollow.rules.js';
import { PassageVectors } from './passages/passage-vectors.store.js';
import { type PassageOfDocument, type PassageSearch, PassageStore } from './passages/passage.store.js';

export interface KnowledgeQuery {
  query: string;
  /** The document must have all of them. */
  tags?: readonly string[] | undefined;
  limit: number;
  /** Collects what the results lack. */
  lacks?: Set<Lack> | undefined;
  signal?: AbortSignal | undefined;
}

/** The matches by words of a query. */
interface Worded {
  /** The passages of each document, the document with the best one first. */
  documents: ReadonlyMap<string, readonly WordedPassage[]>;
  /** How well the words of each whole document match, relative to the best: from 0 to 1. */
  documentScores: ReadonlyMap<string, number>;
}

type WordedPassage = Pick<PassageMatch, 'id' | 'match' | 'byWords' | 'distinctiveness'>;

/** The semantic matches of a query. */
interface Meant {
  /** The passages of each document that are near enough to be results regardless of their words. */
  documents: ReadonlyMap<string, readonly SemanticMatch[]>;
  /** The nearness of each compared passage, by id. */
  nearness: ReadonlyMap<number, number>;
}

/** Passages whose similarity counts. */
const MOST_SIMILAR = 400;
/** Passages in the first round; more are searched when these belong to too few documents. */
const PASSAGES = 300;
const PASSAGES_PER_HIT = 5;
const MOST_PASSAGES = 1_000;
/** Documents that are scored as a whole: those with the best passages. The score of any other cannot be high enough. */
const MOST_SCORED = 80;
const SCORED_PER_HIT = 3;
/** Passages of a document to choose from: the first with content is returned; for the best document, the next one, too. */
const CHOICES = { best: 4, others: 2 };

/** Finds documents by the words of their passages and by semantic search. */
@Injectable()
export class KnowledgeSearch implements OnModuleInit {
  constructor(
    private readonly passages: PassageStore,
    private readonly vectors: PassageVectors,
    private readonly meaning: SemanticSearch,
  ) {}

  onModuleInit(): void {
    this.meaning.register(this.vectors);
  }

  /** Returns the matching documents, the best match first. Accepts any query; one without a word finds nothing. */
  async search({ query: asked, tags = [], limit, lacks, signal }: KnowledgeQuery): Promise<KnowledgeHit[]> {
    const query = searchedPart(asked, lacks);
    const parsed = parseTextQuery(query);
    if (isEmptyQuery(parsed)) return [];
    const wanted = normalTags(tags);
    const [worded, meant] = await Promise.all([
      this.findByWords({ query: parsed, tags: wanted, limit, signal }),
      // A quoted phrase asks for exact words.
      parsed.phrases.length > 0 ? NOTHING_MEANT : this.findByMeaning({ query, tags: wanted, lacks }, limit),
    ]);
    return this.toHits(rankDocuments(candidatesOf(worded, meant)).slice(0, limit), parsed);
  }

  findPassage(documentId: string, position: number): Promise<PlacedPassage | undefined> {
    return this.passages.find(documentId, position);
  }

  private async findByWords({ query, tags, limit, signal }: PassageSearch): Promise<Worded> {
    for (let count = PASSAGES; ; count = MOST_PASSAGES) {
      const { matches, terms, averages } = await this.passages.search({ query, tags, limit: count, signal });
      const found = await this.byDocument(matches);
      if (found.size < limit && matches.length >= count && count < MOST_PASSAGES) continue;
      const ids = [...found.keys()].slice(0, Math.max(MOST_SCORED, limit * SCORED_PER_HIT));
      const documentScores = await this.passages.relevanceOfDocuments(ids, { terms, averages });
      const [best, bestWhole] = [matches[0]?.score ?? 0, Math.max(...documentScores.values())];
      return {
        documents: mapValues(found, (passages) => {
          const distinctiveness = distinctivenessOf(passages, terms, averages);
          return passages.map(({ id, has, score }, at) => ({
            id,
            match: has,
            byWords: shareOf(score, best),
            distinctiveness: distinctiveness[at] ?? 0,
          }));
        }),
        documentScores: mapValues(documentScores, (score) => shareOf(score, bestWhole)),
      };
    }
  }

  private async findByMeaning(
    { query, tags, lacks }: Pick<KnowledgeQuery, 'query' | 'lacks'> & { tags: readonly string[] },
    limit: number,
  ): Promise<Meant> {
    const among = tags.length === 0 ? null : this.vectors.withTags(tags);
    const found = await this.meaning.find(this.vectors, { query, among, limit: MOST_SIMILAR, lacks });
    const nearness = new Map(found.map((one) => [one.id, one.nearness]));
    const enough = found.filter(({ isEnough }) => isEnough);
    for (let count = limit * PASSAGES_PER_HIT; ; count *= PASSAGES_PER_HIT) {
      const documents = await this.byDocument(enough.slice(0, count));
      if (documents.size >= limit || enough.length <= count) return { documents, nearness };
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

  private async toHits(found: readonly RankedDocument[], query: TextQuery): Promise<KnowledgeHit[]> {
    const ids = found.flatMap(({ passages }, rank) =>
      passages.slice(0, rank === 0 ? CHOICES.best : CHOICES.others).map(({ id }) => id),
    );
    const byId = new Map((await this.passages.list(ids)).map((passage) => [passage.id, passage]));
    const rival = Math.max(...(found[1]?.passages ?? []).map(({ relevance }) => relevance));
    const hits: KnowledgeHit[] = [];
    for (const { passages } of found) {
      const present = passages.flatMap((ranked) => {
        const passage = byId.get(ranked.id); // it may have been removed in the meantime
        return passage ? [{ ...ranked, passage }] : [];
      });
      const withText = present.filter(({ passage }) => !isHollow(passage.content));
      const [best, next] = withText.length > 0 ? withText : present;
      if (!best) continue;
      // If the next document matches better, a second passage of the first would only be in the way.
      const also = hits.length === 0 && next && next.relevance >= rival ? toPart(next.passage, query) : null;
      hits.push({ document: best.passage.document, ...toPart(best.passage, query), match: best.match, also });
    }
    return hits;
  }
}

const NOTHING_MEANT: Meant = { documents: new Map(), nearness: new Map() };

/** Merges the matches by words and by meaning; documents with the words come first. */
function candidatesOf(worded: Worded, meant: Meant): Candidate[] {
  const documentIds = new Set([...worded.documents.keys(), ...meant.documents.keys()]);
  return [...documentIds].map((documentId) => {
    const passages = worded.documents.get(documentId) ?? [];
    const known = new Set(passages.map(({ id }) => id));
    const others = (meant.documents.get(documentId) ?? []).filter(({ id }) => !known.has(id));
    return {
      documentId,
      passages: [
        ...passages.map((passage) => ({ ...passage, byMeaning: meant.nearness.get(passage.id) ?? 0 })),
        ...others.map(
          ({ id, nearness }) =>
            ({ id, match: 'meaning', byWords: 0, distinctiveness: 0, byMeaning: nearness }) as const,
        ),
      ],
      asWhole: worded.documentScores.get(documentId) ?? 0,
    };
  });
}

/** Returns a score relative to the best one: from 0 to 1. */
const shareOf = (score: number, best: number): number => (best === 0 ? 0 : score / best);

const mapValues = <Key, Value, Result>(map: ReadonlyMap<Key, Value>, to: (value: Value) => Result): Map<Key, Result> =>
  new Map([...map].map(([key, value]) => [key, to(value)]));

function toPart(found: PassageOfDocument, query: TextQuery): FoundPart {
  const { position, headings, content, start, lead, neighbours, language } = found;
  return {
    passage: { position, headings, content, start, lead },
    neighbours,
    matches: matchesIn(content, matcherOf(query, language)),
  };
}

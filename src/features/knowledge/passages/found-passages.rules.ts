import type { Match } from '../documents/document.js';

export interface PassageMatch {
  id: number;
  match: Match;
  /** How well its words match, relative to the best passage: from 0 to 1. */
  byWords: number;
  /** The same, relative to the best passage of its document, by the words that distinguish these. */
  distinctiveness: number;
  /** Semantic nearness, relative to the nearest: from 0 to 1. */
  byMeaning: number;
}

export interface Candidate {
  documentId: string;
  /** At least one. */
  passages: readonly PassageMatch[];
  /** How well the words of the whole document match, relative to the best document: from 0 to 1. */
  asWhole: number;
}

export interface RankedDocument {
  documentId: string;
  /** Best first. */
  passages: readonly RankedPassage[];
}

interface RankedPassage {
  id: number;
  match: Match;
  /** Its score among all found passages; higher is better. */
  relevance: number;
}

/** Weight of the whole document, relative to its best passage. */
const AS_WHOLE = 0.3;

/**
 * Ranks documents by their best passages and as a whole, best first. Words and meaning have equal weight. Adds scores instead of
 * ranks, so that the margin between passages counts.
 */
export function rankDocuments(candidates: readonly Candidate[]): RankedDocument[] {
  return candidates
    .map(({ documentId, passages, asWhole }) => {
      const ranked = passagesInOrder(passages);
      return { documentId, passages: ranked, score: Math.max(...ranked.map(relevanceOf)) + AS_WHOLE * asWhole };
    })
    .sort((one, other) => other.score - one.score)
    .map(({ documentId, passages }) => ({ documentId, passages }));
}

const relevanceOf = ({ relevance }: RankedPassage): number => relevance;

/** Ranks the passages of one document by other words than documents: those that distinguish its passages. */
function passagesInOrder(passages: readonly PassageMatch[]): RankedPassage[] {
  const answering = ({ distinctiveness, byMeaning }: PassageMatch) => distinctiveness + byMeaning;
  return [...passages]
    .sort(
      (one, other) =>
        answering(other) - answering(one) || other.distinctiveness - one.distinctiveness || one.id - other.id,
    )
    .map(({ id, match, byWords, byMeaning }) => ({ id, match, relevance: byWords + byMeaning }));
}

import type { Match } from '../documents/document.js';

/** A passage that a search found, with what speaks for it. */
export interface PassageMatch {
  id: number;
  match: Match;
  /** How well its words match, compared with the best passage that was found: from 0 to 1. */
  byWords: number;
  /** The same, compared with the best passage of its document, by the words that tell these apart. */
  telling: number;
  /** How near it is in meaning, compared with the nearest: from 0 to 1. */
  byMeaning: number;
}

/** A document and the passages of it that were found. */
export interface Candidate {
  documentId: string;
  /** At least one. */
  passages: readonly PassageMatch[];
  /** How well the words of the whole document match, compared with the best document: from 0 to 1. */
  asWhole: number;
}

export interface RankedDocument {
  documentId: string;
  /** The one that answers best first. */
  passages: readonly RankedPassage[];
}

interface RankedPassage {
  id: number;
  match: Match;
  /** How well it answers, compared with all passages that were found; higher is better. */
  relevance: number;
}

/** How much a whole document counts beside its best passage. */
const AS_WHOLE = 0.3;

/**
 * Returns the documents in the order of their best passages, the best first. Words and meaning count the same. Their scores
 * are added up instead of the ranks: so it counts how much better a passage is than the next.
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

/** Which document is meant and which of its passages answers are two questions: other words tell. */
function passagesInOrder(passages: readonly PassageMatch[]): RankedPassage[] {
  const answering = ({ telling, byMeaning }: PassageMatch) => telling + byMeaning;
  return [...passages]
    .sort((one, other) => answering(other) - answering(one) || other.telling - one.telling || one.id - other.id)
    .map(({ id, match, byWords, byMeaning }) => ({ id, match, relevance: byWords + byMeaning }));
}

import type { TextRange } from '../../../platform/text/excerpt.rules.js';
import type { Coverage } from '../../../platform/text/text-search.js';

/** A Markdown document of the knowledge base. */
export interface Document {
  id: string;
  title: string;
  content: string;
  tags: readonly string[];
  /** Where it came from: the name of a client or of an import; null = unknown. */
  source: string | null;
  /** Path of the imported file; unique among documents. Null = not imported. */
  path: string | null;
  /** Hash of title, content and tags. */
  hash: string;
  /** 1 at first; goes up by one with each change. */
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

export type DocumentSummary = Omit<Document, 'content' | 'hash'> & { characters: number };

/** An earlier version of a document, before it was replaced. */
export type DocumentVersion = Pick<Document, 'version' | 'title' | 'content' | 'tags' | 'source'> & { savedAt: Date };

export type DocumentVersionSummary = Omit<DocumentVersion, 'content'> & { characters: number };

/** A part of a document that searches find on its own. */
export interface Passage {
  /** The headings that it stands under, the outermost first. */
  headings: readonly string[];
  /** Stands like this in the document; at most 1,500 characters. */
  content: string;
  /** Where it starts in the content of the document: the number of characters before it. */
  start: number;
  /** What it continues and does not say itself, such as the head of its table; empty when it begins by itself. */
  lead: string;
}

/** A passage and its position in the document: 0 = first. */
export type Placed<One extends Passage = Passage> = One & { position: number };

export interface FoundPassage extends Placed {
  id: number;
  documentId: string;
}

export type SaveOutcome = 'created' | 'updated' | 'unchanged';

export interface SavedDocument {
  document: Document;
  outcome: SaveOutcome;
}

/** The headings of the passages before and after a passage; null = there is none. */
export interface Neighbours {
  previous: readonly string[] | null;
  next: readonly string[] | null;
}

export interface PlacedPassage {
  passage: Placed;
  neighbours: Neighbours;
}

/** A passage that a search found. */
export interface FoundPart extends PlacedPassage {
  /** Where the words that matched are in the content of the passage, in their order. */
  matches: readonly TextRange[];
}

/** A document found by a search, with its best matching passage. */
export interface KnowledgeHit extends FoundPart {
  document: Omit<Document, 'content' | 'hash'>;
  match: Match;
  /**
   * The next best passage of the document; null when there is none, when the next document answers better, and for all
   * documents but the best.
   */
  also: FoundPart | null;
}

/**
 * Why a passage was found: it has all words of the query, it has some of them, or it is similar in meaning; or there was
 * no query.
 */
export type Match = Coverage | 'meaning' | 'listed';

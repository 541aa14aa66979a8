import type { TextRange } from '../../../platform/text/excerpt.rules.js';
import type { Coverage } from '../../../platform/text/text-search.js';

export interface Document {
  id: string;
  title: string;
  content: string;
  tags: readonly string[];
  /** Where it came from: the name of a client or of an import; null = unknown. */
  source: string | null;
  /** Path of the imported file; unique among documents. null = not imported. */
  path: string | null;
  /** Hash of title, content and tags. */
  hash: string;
  /** Starts at 1; each change increments it. */
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
  /** The headings above it, outermost first. */
  headings: readonly string[];
  /** Verbatim from the document; at most 1,500 characters. */
  content: string;
  /** Its offset in the content of the document, in characters. */
  start: number;
  /** The context that it continues, such as the head of its table; empty = none. */
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
  /** True when an update changed what lists show. */
  relisted?: boolean;
}

/** The headings of the passages before and after a passage; null = none. */
export interface Neighbours {
  previous: readonly string[] | null;
  next: readonly string[] | null;
}

export interface PlacedPassage {
  passage: Placed;
  neighbours: Neighbours;
}

export interface FoundPart extends PlacedPassage {
  /** The ranges of the matched words in the content of the passage, in order. */
  matches: readonly TextRange[];
}

/** A document found by a search, with its best matching passage. */
export interface KnowledgeHit extends FoundPart {
  document: Omit<Document, 'content' | 'hash'>;
  match: Match;
  /**
   * The next best passage of the document; null when there is none, when the next document matches better, and for all documents
   * but the best.
   */
  also: FoundPart | null;
}

/** Why a passage is a result: it has all or some words of the query, it is semantically similar, or there was no query. */
export type Match = Coverage | 'meaning' | 'listed';

import type { Coverage } from '../text/text-search.js';

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
  createdAt: Date;
  updatedAt: Date;
}

export type DocumentSummary = Omit<Document, 'content' | 'hash'> & { characters: number };

/** A part of a document that searches find on its own. */
export interface Passage {
  /** The headings that it stands under, the outermost first. */
  headings: readonly string[];
  content: string;
}

export interface FoundPassage extends Passage {
  id: number;
  documentId: string;
}

export type SaveOutcome = 'created' | 'updated' | 'unchanged';

export interface SavedDocument {
  document: Document;
  outcome: SaveOutcome;
}

/** A document found by a search, with its best matching passage. */
export interface KnowledgeHit {
  document: Omit<Document, 'content' | 'hash'>;
  headings: readonly string[];
  /** A part of the passage, with the words that matched in **bold**. */
  excerpt: string;
  match: Match;
}

/** Why a passage was found: it has all words of the query, it has some of them, or it is similar in meaning. */
export type Match = Coverage | 'meaning';

import type { Coverage } from '../text/text-search.js';

/** A Markdown document of the knowledge base. */
export interface Document {
  id: string;
  title: string;
  content: string;
  tags: readonly string[];
  /** Who or what it came from: a client, an import. */
  source: string | null;
  /** Of an imported file, relative to the imported folder; no two documents have the same. */
  path: string | null;
  /** Of title, content and tags. */
  hash: string;
  createdAt: Date;
  updatedAt: Date;
}

export type DocumentSummary = Omit<Document, 'content' | 'hash'> & { characters: number };

/** A part of a document that can be found by itself. */
export interface Passage {
  /** The headings it stands under, the outermost first. */
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

/** A document that was found, with the passage that matches best. */
export interface KnowledgeHit {
  document: Omit<Document, 'content' | 'hash'>;
  headings: readonly string[];
  /** With the words that were found in **bold**. */
  excerpt: string;
  match: Match;
}

/** Why a passage was found: it has all the words that were looked for, some of them, or is near in meaning. */
export type Match = Coverage | 'meaning';

import type { TextRange } from '../../platform/text/excerpt.rules.js';

/** A remembered text, under a key in a namespace. */
export interface MemoryEntry {
  namespace: string;
  key: string;
  content: string;
  tags: readonly string[];
  /** 1 to 5. */
  importance: number;
  /** Name of the client that last saved it. */
  client: string;
  /** Name of the program that last saved it; null = unknown. */
  program: string | null;
  /** Starts at 1; each change increments it. */
  version: number;
  createdAt: Date;
  updatedAt: Date;
  expiresAt: Date | null; // null = never
}

/** An earlier version of an entry, before it was superseded. */
export type MemoryVersion = Pick<MemoryEntry, 'content' | 'tags' | 'importance' | 'client' | 'program' | 'version'> & {
  savedAt: Date;
};

export interface NamespaceSize {
  namespace: string;
  entries: number;
}

export interface MemoryHit {
  entry: MemoryEntry;
  /** The ranges of the matched words in the content, in order. */
  matches: readonly TextRange[];
  /** 0 to 1. */
  score: number;
}

export interface SavedMemory {
  outcome: 'created' | 'updated' | 'unchanged';
  entry: MemoryEntry;
  /** Another entry of the namespace with the same content; null = none. */
  twin: MemoryEntry | null;
}

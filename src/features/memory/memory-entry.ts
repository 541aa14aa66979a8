import type { TextRange } from '../../platform/text/excerpt.rules.js';

/** A remembered text, under a key in a namespace. */
export interface MemoryEntry {
  namespace: string;
  key: string;
  content: string;
  tags: readonly string[];
  /** 1 to 5. */
  importance: number;
  /** Name of the client that saved it last. */
  client: string;
  /** The program of the client that saved it last, as it names itself; null = unknown. */
  program: string | null;
  /** 1 at first; goes up by one with each change. */
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
  /** Where the words that matched are in the content, in their order. */
  matches: readonly TextRange[];
  /** 0 to 1. */
  score: number;
}

export interface SavedMemory {
  outcome: 'created' | 'updated' | 'unchanged';
  entry: MemoryEntry;
  /** Another entry of the namespace that says the same; null when there is none. */
  twin: MemoryEntry | null;
}

/** Something to be remembered, under a key of a namespace. */
export interface MemoryEntry {
  namespace: string;
  key: string;
  content: string;
  tags: readonly string[];
  /** 1 to 5. */
  importance: number;
  /** Who saved it last. */
  client: string;
  /** Counts up with each change. */
  version: number;
  createdAt: Date;
  updatedAt: Date;
  expiresAt: Date | null; // null = never
}

/** What an entry said before it was superseded. */
export type MemoryVersion = Pick<MemoryEntry, 'content' | 'tags' | 'importance' | 'client' | 'version'> & {
  savedAt: Date;
};

export interface NamespaceSize {
  namespace: string;
  entries: number;
}

export interface MemoryHit {
  entry: MemoryEntry;
  /** With the words that were found in **bold**. */
  excerpt: string;
  /** 0 to 1. */
  score: number;
}

/** `duplicate`: nothing was saved, because `entry` says the same under another key. */
export interface SavedMemory {
  outcome: 'created' | 'updated' | 'unchanged' | 'duplicate';
  entry: MemoryEntry;
}

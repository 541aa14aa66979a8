import type { Document, DocumentSummary } from '../documents/document.js';

/** How long a removed document can be restored. */
export const KEPT_DAYS = 30;

export interface RemovedDocument extends Omit<DocumentSummary, 'id'> {
  /** Id of its place in the trash: several documents may have had the same document id, one after the other. */
  id: string;
  documentId: string;
  removedAt: Date;
  /** Name of a client, of an administrator or of an import; null = unknown. */
  removedBy: string | null;
  versions: number;
}

export type FullRemovedDocument = RemovedDocument & Pick<Document, 'content'>;

export interface RestoredDocument {
  document: Document;
  removed: RemovedDocument;
}

const KEPT_MS = KEPT_DAYS * 86_400_000;

export const expiryOf = (removedAt: Date): Date => new Date(removedAt.getTime() + KEPT_MS);

/** Returns the time of removal before which documents are permanently deleted now. */
export const expiredBefore = (now: Date): Date => new Date(now.getTime() - KEPT_MS);

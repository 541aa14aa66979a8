import type { Generated } from 'kysely';

export interface KnowledgeDocumentTable {
  id: string;
  title: string;
  content: string;
  tags: string; // JSON
  source: string | null;
  path: string | null; // path of the imported file; unique
  hash: string;
  version: number;
  created_at: string;
  updated_at: string;
}

/** Earlier versions of documents. */
export interface KnowledgeHistoryTable {
  document_id: string;
  version: number;
  title: string;
  tags: string; // JSON
  source: string | null;
  saved_at: string;
  content: string;
}

/** Removed documents. */
export interface KnowledgeTrashTable extends Omit<KnowledgeDocumentTable, 'id'> {
  id: string; // of the row: several documents may have had the same address in succession
  document_id: string;
  removed_at: string;
  removed_by: string | null;
  versions: number; // number of earlier versions
  characters: number; // of the content and the earlier versions together
}

/** Earlier versions of removed documents. */
export interface KnowledgeTrashHistoryTable extends Omit<KnowledgeHistoryTable, 'document_id'> {
  trash_id: string;
}

/** The folders from which documents are imported by name. */
export interface KnowledgeSourceTable {
  name: string;
  place: string; // location of the folder
  created_at: string;
  imported_at: string;
}

export interface KnowledgeTagTable {
  tag: string;
  document_id: string;
}

/** The words of whole documents; a document without a row is not indexed yet. */
export interface KnowledgeDocumentWordsTable {
  document_id: string;
  indexed_as: number; // the version of the indexing rules
  title_words: number;
  context_words: number;
  body_words: number;
  counts: Uint8Array;
}

/** The parts of documents that searches find. */
export interface KnowledgePassageTable {
  id: Generated<number>;
  document_id: string;
  position: number;
  headings: string; // JSON
  content: string;
  start: number; // offset in the document's content, in characters
  lead: string; // what the passage continues, such as the head of its table
}

/** The embeddings of the items of a collection. */
interface VectorTable {
  space: string; // the model and server; only embeddings of the same space are comparable
  batch: number; // number of the batch in which it was embedded; later batches were saved later
  signs: Uint8Array;
  vector: Uint8Array; // one signed byte per dimension; empty = the item can't be embedded
}

export interface KnowledgeVectorTable extends VectorTable {
  passage_id: number;
}

export interface MemoryVectorTable extends VectorTable {
  entry_id: number;
}

export interface SkillPackageVectorTable extends VectorTable {
  package_id: number;
}

export interface MemoryEntryTable {
  id: Generated<number>;
  namespace: string;
  key: string;
  content: string;
  content_hash: string;
  tags: string; // JSON
  importance: number;
  client: string;
  program: string | null; // as the client's program names itself
  version: number;
  created_at: string;
  updated_at: string;
  expires_at: string | null; // null = never
}

/** Earlier versions of entries. */
export interface MemoryHistoryTable {
  entry_id: number;
  version: number;
  content: string;
  tags: string; // JSON
  importance: number;
  client: string;
  program: string | null;
  saved_at: string;
}

import { type ColumnTypes, vectorTable } from './column-types.js';

/** The knowledge base and the memory; their text indexes are created separately. */
export const textTables = (types: ColumnTypes): string[] => [
  `create table knowledge_documents (id text primary key not null, title text not null, content text not null,
    tags text not null, source text, path text unique, hash text not null, created_at text not null,
    updated_at text not null, version integer default 1 not null)`,
  `create index knowledge_documents_updated_at on knowledge_documents (updated_at, id)`,
  `create index knowledge_documents_created_at on knowledge_documents (created_at, id)`,
  // Includes the path; otherwise SQLite would scan all documents without a path.
  `create index knowledge_documents_hash on knowledge_documents (hash, path)`,
  `create index knowledge_documents_title on knowledge_documents (title, id)`,
  `create table knowledge_history (document_id text not null references knowledge_documents (id) on delete cascade,
    version integer not null, title text not null, tags text not null, source text, saved_at text not null,
    content text not null, constraint knowledge_history_pk primary key (document_id, version))`,
  // Addresses are not unique here: a document may be removed, saved again and removed again. The long column comes last.
  `create table knowledge_trash (id text primary key not null, document_id text not null, title text not null,
    tags text not null, source text, path text, hash text not null, version integer not null, created_at text not null,
    updated_at text not null, removed_at text not null, removed_by text, versions integer not null,
    characters integer not null, content text not null)`,
  `create index knowledge_trash_removed_at on knowledge_trash (removed_at, id, characters)`,
  `create index knowledge_trash_document_id on knowledge_trash (document_id, removed_at, id)`,
  `create table knowledge_trash_history (trash_id text not null references knowledge_trash (id) on delete cascade,
    version integer not null, title text not null, tags text not null, source text, saved_at text not null,
    content text not null, constraint knowledge_trash_history_pk primary key (trash_id, version))`,
  `create table knowledge_sources (name text primary key not null, place text not null, created_at text not null,
    imported_at text not null)`,
  `create table knowledge_tags (tag text not null,
    document_id text not null references knowledge_documents (id) on delete cascade,
    constraint knowledge_tags_pk primary key (tag, document_id))`,
  `create index knowledge_tags_document_id on knowledge_tags (document_id)`,
  `create table knowledge_passages (id ${types.sequence},
    document_id text not null references knowledge_documents (id) on delete cascade, position integer not null,
    headings text not null, content text not null, start integer default 0 not null, lead text default '' not null)`,
  `create index knowledge_passages_document_id on knowledge_passages (document_id, position)`,
  ...vectorTable('knowledge_vectors', { item: 'passage_id', items: 'knowledge_passages' }, types),
  `create table knowledge_document_words (
    document_id text primary key not null references knowledge_documents (id) on delete cascade,
    indexed_as integer not null, title_words integer not null, context_words integer not null,
    body_words integer not null, counts ${types.bytes} not null)`,
  // A covering index for the averages.
  `create index knowledge_document_words_lengths on knowledge_document_words
    (indexed_as, title_words, context_words, body_words)`,
  `create table memory_entries (id ${types.sequence}, namespace text not null, key text not null, content text not null,
    content_hash text not null, tags text not null, importance integer not null, client text not null,
    version integer not null, created_at text not null, updated_at text not null, expires_at text, program text,
    constraint memory_entries_key unique (namespace, key))`,
  `create index memory_entries_content_hash on memory_entries (namespace, content_hash)`,
  `create index memory_entries_expires_at on memory_entries (expires_at)`,
  `create index memory_entries_updated_at on memory_entries (updated_at, id)`,
  `create index memory_entries_of_namespace on memory_entries (namespace, updated_at, id)`,
  // A covering index for queries of names, which precede long texts in the rows.
  `create index memory_entries_names on memory_entries (namespace, key, expires_at)`,
  `create table memory_history (entry_id bigint not null references memory_entries (id) on delete cascade,
    version integer not null, content text not null, tags text not null, importance integer not null,
    client text not null, saved_at text not null, program text,
    constraint memory_history_pk primary key (entry_id, version))`,
  ...vectorTable('memory_vectors', { item: 'entry_id', items: 'memory_entries' }, types),
];

import { Injectable } from '@nestjs/common';
import type { Selectable } from 'kysely';
import { Database } from '../../platform/database/database.js';
import { firstIds } from '../../platform/database/first-ids.table.js';
import { GatheredWrites } from '../../platform/database/gathered-writes.js';
import type { KnowledgeDocumentTable, KnowledgeHistoryTable } from '../../platform/database/text-tables.js';
import { mapPage, type Page, type PageRequest } from '../../platform/paging/page-cursor.js';
import { readPage } from '../../platform/sql/read-page.js';
import { containsInLowerCase, dialectOf } from '../../platform/sql/dialect.js';
import type { Document, DocumentSummary } from './documents/document.js';
import { SUMMARY_COLUMNS, toSummary } from './documents/document-summary.table.js';
import { addDocuments, type NewDocument, toRow } from './new-documents.table.js';
import { INDEXED_AS, isShort, replaceParts } from './passages/document-parts.table.js';
import type { IndexedDocument } from './passages/passages.rules.js';
import { moveToTrash, type Removal } from './trash/removal.table.js';

const COLUMNS = [...SUMMARY_COLUMNS, 'content', 'hash'] as const;

/** Number of earlier versions of a document that are kept. */
const KEPT_VERSIONS = 50;
/** Documents per statement, so that statements stay short regardless of the total number. */
const CHECKED_AT_ONCE = 2_000;
/** New documents; on PostgreSQL, a second transaction uses the time in which the first waits for the disk. */
const ADDED_AT_ONCE = { sqlite: { most: 16, atOnce: 1 }, postgres: { most: 16, atOnce: 2 } };

export interface DocumentFilter {
  /** The document must have all of them. */
  tags?: readonly string[] | undefined;
}

export type ImportedPath = Pick<Document, 'id' | 'source'> & { path: string };

/** Reads and writes the rows of documents; updates their tags, passages and text index in the same transaction. */
@Injectable()
export class KnowledgeStore {
  private readonly additions: GatheredWrites<NewDocument, number>;

  constructor(private readonly database: Database) {
    this.additions = new GatheredWrites((all) => this.addAll(all), ADDED_AT_ONCE[dialectOf(database)]);
  }

  async find(id: string): Promise<Document | undefined> {
    const row = await this.documents().where('id', '=', id).executeTakeFirst();
    return row && toDocument(row);
  }

  async findByPath(path: string): Promise<Document | undefined> {
    const row = await this.documents().where('path', '=', path).executeTakeFirst();
    return row && toDocument(row);
  }

  /** Finds the document that has this hash and was not imported from a file. */
  async findByHash(hash: string): Promise<Document | undefined> {
    const row = await this.documents().where('hash', '=', hash).where('path', 'is', null).executeTakeFirst();
    return row && toDocument(row);
  }

  async listIdsByTitle(title: string): Promise<string[]> {
    const rows = await this.database
      .selectFrom('knowledge_documents')
      .select('id')
      .where('title', '=', title)
      .orderBy('created_at')
      .limit(5)
      .execute();
    return rows.map(({ id }) => id);
  }

  /**
   * Adds a document, and resolves to its version: one that nothing at its address has had before. Resolves to undefined, and adds
   * nothing, when another document has its path or id, or has the same content and neither was imported from a file.
   */
  create(document: Document, indexed: IndexedDocument): Promise<number | undefined> {
    const added = { document, indexed };
    // A long document must not delay others.
    return isShort(indexed) ? this.additions.add(added) : this.addAll([added]).then((all) => all.get(added));
  }

  /**
   * Replaces `before` by `document`, and moves `before` to the history, which keeps the last 50 versions; unchanged passages keep
   * their rows and embeddings. Returns false, and changes nothing, when another call changed or removed `before` first.
   */
  replace(before: Document, document: Document, indexed: IndexedDocument): Promise<boolean> {
    return this.database.transaction().execute(async (transaction) => {
      const { id, created_at: _createdAt, ...change } = toRow(document);
      const { numUpdatedRows } = await transaction
        .updateTable('knowledge_documents')
        .set(change)
        .where('id', '=', id)
        .where('version', '=', before.version)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows === 0n) return false;
      await transaction.insertInto('knowledge_history').values(toHistoryRow(before)).execute();
      await transaction
        .deleteFrom('knowledge_history')
        .where('document_id', '=', id)
        .where('version', '<=', before.version - KEPT_VERSIONS)
        .execute();
      await replaceParts(transaction, { document, indexed, before: toRow(before) });
      return true;
    });
  }

  /** Reindexes an unchanged document; skips one that was changed or removed in the meantime. */
  index(document: Document, indexed: IndexedDocument): Promise<void> {
    return this.database.transaction().execute(async (transaction) => {
      // A no-op update that locks the row, so that a replacement waits.
      const before = await transaction
        .updateTable('knowledge_documents')
        .set((row) => ({ hash: row.ref('hash') }))
        .where('id', '=', document.id)
        .where('version', '=', document.version)
        .returning(['title', 'tags'])
        .executeTakeFirst();
      if (before) await replaceParts(transaction, { document, indexed, before });
    });
  }

  /** Moves a document with its history to the trash; returns whether it existed. */
  remove(removal: Removal): Promise<boolean> {
    return this.database.transaction().execute((transaction) => moveToTrash(transaction, removal));
  }

  /** Returns one page of documents, last changed first. */
  async listPage({ tags = [], ...page }: PageRequest & DocumentFilter): Promise<Page<DocumentSummary>> {
    let query = this.database.longReads
      .selectFrom('knowledge_documents')
      .select(SUMMARY_COLUMNS)
      .select(({ fn }) => fn<number>('length', ['content']).as('characters'));
    for (const tag of tags) {
      query = query.where('id', 'in', (from) =>
        from.selectFrom('knowledge_tags').select('document_id').where('tag', '=', tag),
      );
    }
    const found = await readPage(query, page, { by: ['updated_at', 'id'], isDescending: true });
    return mapPage(found, (row) => ({ ...toSummary(row), characters: row.characters }));
  }

  /** Returns one page of documents, oldest first. */
  async listByAge(page: PageRequest): Promise<Page<Omit<DocumentSummary, 'characters'>>> {
    const documents = this.database.longReads.selectFrom('knowledge_documents').select(SUMMARY_COLUMNS);
    return mapPage(await readPage(documents, page, BY_AGE), toSummary);
  }

  /** Returns one page of documents with their contents, oldest first. */
  async listWholeByAge(page: PageRequest): Promise<Page<Document>> {
    const documents = this.database.longReads.selectFrom('knowledge_documents').select(COLUMNS);
    return mapPage(await readPage(documents, page, BY_AGE), toDocument);
  }

  /** Returns the documents that were imported from files, ordered by path. */
  async listPaths(): Promise<ImportedPath[]> {
    const rows = await this.database.longReads
      .selectFrom('knowledge_documents')
      .select(['id', 'path', 'source'])
      .where('path', 'is not', null)
      .orderBy('path')
      .execute();
    return rows.flatMap(({ id, path, source }) => (path === null ? [] : [{ id, path, source }]));
  }

  async listIdsByTitlePart(part: string, limit: number): Promise<string[]> {
    const { longReads } = this.database;
    const rows = await longReads
      .selectFrom('knowledge_documents')
      .select('id')
      .where(containsInLowerCase(dialectOf(longReads), 'title', part))
      .orderBy('title')
      .orderBy('id')
      .limit(limit)
      .execute();
    return rows.map(({ id }) => id);
  }

  listIds(prefix: string, limit: number): Promise<string[]> {
    return firstIds(this.database, 'knowledge_documents', { prefix, limit });
  }

  /** Returns those of the ids that belong to a document. */
  async listTaken(ids: readonly string[]): Promise<Set<string>> {
    const rows = await this.database.selectFrom('knowledge_documents').select('id').where('id', 'in', ids).execute();
    return new Set(rows.map(({ id }) => id));
  }

  /**
   * Returns the documents after an id that are from an import of the database, or that an earlier version of the service indexed,
   * ordered by id. Checks only some of the documents per call.
   * @param after the id; empty = from the first document
   */
  async listUnindexed(after: string): Promise<{ ids: string[]; next: string | null }> {
    const { longReads } = this.database;
    const rows = await longReads
      .selectFrom((from) =>
        from
          .selectFrom('knowledge_documents')
          .select('id')
          .where('id', '>', after)
          .orderBy('id')
          .limit(CHECKED_AT_ONCE)
          .as('document'),
      )
      .leftJoin('knowledge_document_words as words', (join) =>
        join
          .onRef('words.document_id', '=', 'document.id')
          .on('words.document_id', '>', after) // otherwise PostgreSQL might start with those of the first document
          .on('words.indexed_as', '=', INDEXED_AS),
      )
      .select(['document.id', 'words.document_id as indexed'])
      .orderBy('document.id')
      .execute();
    const ids = rows.flatMap(({ id, indexed }) => (indexed === null ? [id] : []));
    return { ids, next: rows.length < CHECKED_AT_ONCE ? null : (rows.at(-1)?.id ?? null) };
  }

  private addAll(all: readonly NewDocument[]): Promise<ReadonlyMap<NewDocument, number>> {
    return this.database.transaction().execute((transaction) => addDocuments(transaction, all));
  }

  private documents() {
    return this.database.selectFrom('knowledge_documents').select(COLUMNS);
  }
}

const BY_AGE = { by: ['created_at', 'id'] };

function toDocument(row: Selectable<KnowledgeDocumentTable>): Document {
  return { ...toSummary(row), content: row.content, hash: row.hash };
}

function toHistoryRow({ id, version, title, tags, source, updatedAt, content }: Document): KnowledgeHistoryTable {
  const saved_at = updatedAt.toISOString();
  return { document_id: id, version, title, tags: JSON.stringify(tags), source, saved_at, content };
}

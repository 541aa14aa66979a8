import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Selectable, Transaction } from 'kysely';
import { Database } from '../../../platform/database/database.js';
import { insertIfAbsent } from '../../../platform/database/new-row.table.js';
import { formerVersion } from '../../../platform/database/former-versions.table.js';
import type { Tables } from '../../../platform/database/tables.js';
import type { KnowledgeTrashTable } from '../../../platform/database/text-tables.js';
import { mapPage, type Page, type PageRequest } from '../../../platform/paging/page-cursor.js';
import { readPage } from '../../../platform/sql/read-page.js';
import { lockUntilCommit } from '../../../platform/sql/dialect.js';
import { hasEffect } from '../../../platform/sql/affected-rows.js';
import type { Document } from '../documents/document.js';
import { idLock, toSummary } from '../documents/document-summary.table.js';
import { AddressTaken } from '../documents/knowledge.errors.js';
import { insertParts } from '../passages/document-parts.table.js';
import type { IndexedDocument } from '../passages/passages.rules.js';
import type { FullRemovedDocument, RemovedDocument } from './removed-document.js';

const COLUMNS = [
  ...(['id', 'document_id', 'title', 'tags', 'source', 'path', 'version', 'created_at', 'updated_at'] as const),
  ...(['removed_at', 'removed_by', 'versions', 'characters'] as const),
] as const;

export interface Restoration {
  id: string;
  indexed: IndexedDocument;
  /** Candidate ids for the document, best first. */
  ids: readonly string[];
}

/** Reads the trash, and takes documents out of it; `moveToTrash` puts them there. */
@Injectable()
export class TrashStore {
  constructor(private readonly database: Database) {}

  /** Returns one page of removed documents, last removed first. */
  async listPage(page: PageRequest): Promise<Page<RemovedDocument>> {
    const removed = this.database.longReads.selectFrom('knowledge_trash').select(COLUMNS);
    return mapPage(await readPage(removed, page, { by: ['removed_at', 'id'], isDescending: true }), toRemoved);
  }

  async find(id: string): Promise<FullRemovedDocument | undefined> {
    const row = await this.database
      .selectFrom('knowledge_trash')
      .select([...COLUMNS, 'content'])
      .where('id', '=', id)
      .executeTakeFirst();
    return row && { ...toRemoved(row), content: row.content };
  }

  /** Returns the id in the trash of the document that was last removed from an address. */
  async findLatestId(documentId: string): Promise<string | undefined> {
    const row = await this.database
      .selectFrom('knowledge_trash')
      .select('id')
      .where('document_id', '=', documentId)
      .orderBy('removed_at', 'desc')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row?.id;
  }

  /**
   * Restores a document with its earlier versions, under the first free id. It loses its path when the path is taken. Returns
   * undefined when the document is no longer in the trash.
   * @throws AddressTaken
   */
  restore(restoration: Restoration): Promise<Document | undefined> {
    return this.database.transaction().execute(async (transaction) => {
      const { id: trashId, indexed, ids } = restoration;
      // Lock the address before the row, as a removal does.
      await lockUntilCommit(transaction, ...ids.map(idLock));
      // A no-op update that locks the row: of two concurrent restorations, one finds nothing.
      const row = await transaction
        .updateTable('knowledge_trash')
        .set((own) => ({ hash: own.ref('hash') }))
        .where('id', '=', trashId)
        .returning(['document_id', 'title', 'content', 'tags', 'source', 'path', 'hash', 'version'])
        .returning(['created_at', 'updated_at'])
        .executeTakeFirst();
      if (!row) return undefined;
      const { document_id: _formerId, ...kept } = row;
      const free = await freePlace(transaction, ids, row.path);
      const version = versionAt(free.id, row, await formerVersion(transaction, 'document', free.id));
      const inserted = { ...kept, ...free, version };
      if (!(await insertIfAbsent(transaction, 'knowledge_documents', inserted))) throw new AddressTaken();
      await moveVersionsBack(transaction, trashId, free.id);
      await transaction.deleteFrom('knowledge_trash').where('id', '=', trashId).execute();
      const document: Document = { ...toSummary(inserted), content: row.content, hash: row.hash };
      await insertParts(transaction, [{ document, indexed }]);
      return document;
    });
  }

  /** Permanently deletes a removed document; returns whether it existed. */
  async delete(id: string): Promise<boolean> {
    return hasEffect(this.database.deleteFrom('knowledge_trash').where('id', '=', id));
  }

  /** Returns the ids in the trash of some documents that were removed before a time, first removed first. */
  async listIdsBefore(time: Date, limit: number): Promise<string[]> {
    const rows = await this.database.longReads
      .selectFrom('knowledge_trash')
      .select('id')
      .where('removed_at', '<', time.toISOString())
      .orderBy('removed_at')
      .orderBy('id')
      .limit(limit)
      .execute();
    return rows.map(({ id }) => id);
  }
}

/** Returns the version of a restored document: its own, unless another document at its address has had that or a later one. */
function versionAt(
  id: string,
  { document_id, version }: Pick<KnowledgeTrashTable, 'document_id' | 'version'>,
  former: number,
): number {
  const isLast = id === document_id && former === version;
  return isLast || former < version ? version : former + 1;
}

async function freePlace(
  transaction: Transaction<Tables>,
  ids: readonly string[],
  path: string | null,
): Promise<{ id: string; path: string | null }> {
  const documents = transaction.selectFrom('knowledge_documents').select('id');
  const taken = new Set((await documents.where('id', 'in', ids).execute()).map(({ id }) => id));
  const id = ids.find((one) => !taken.has(one));
  if (id === undefined) throw new AddressTaken();
  const isPathTaken = path !== null && (await documents.where('path', '=', path).executeTakeFirst()) !== undefined;
  return { id, path: isPathTaken ? null : path };
}

async function moveVersionsBack(transaction: Transaction<Tables>, trashId: string, documentId: string): Promise<void> {
  const versions = await transaction
    .selectFrom('knowledge_trash_history')
    .select('version')
    .where('trash_id', '=', trashId)
    .execute();
  // One at a time, because together they may take 50 MB.
  for (const { version } of versions) {
    await transaction
      .insertInto('knowledge_history')
      .columns(['document_id', 'version', 'title', 'tags', 'source', 'saved_at', 'content'])
      .expression((from) =>
        from
          .selectFrom('knowledge_trash_history')
          .select((row) => [row.val(documentId).as('document_id'), 'version', 'title', 'tags', 'source', 'saved_at'])
          .select('content')
          .where('trash_id', '=', trashId)
          .where('version', '=', version),
      )
      .execute();
    await transaction
      .deleteFrom('knowledge_trash_history')
      .where('trash_id', '=', trashId)
      .where('version', '=', version)
      .execute();
    await nextTurn();
  }
}

function toRemoved(row: Pick<Selectable<KnowledgeTrashTable>, (typeof COLUMNS)[number]>): RemovedDocument {
  return {
    ...toSummary(row),
    documentId: row.document_id,
    removedAt: new Date(row.removed_at),
    removedBy: row.removed_by,
    versions: row.versions,
    characters: row.characters,
  };
}

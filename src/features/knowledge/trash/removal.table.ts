import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Transaction } from 'kysely';
import { keepFormerVersions } from '../../../platform/database/former-versions.table.js';
import type { Tables } from '../../../platform/database/tables.js';
import { lockUntilCommit } from '../../../platform/sql/dialect.js';
import { idLock } from '../documents/document-summary.table.js';
import { newDocumentId } from '../documents/document.rules.js';

/** The limits of the trash; beyond them, newer documents replace the oldest. */
export interface TrashBounds {
  documents: number;
  /** Characters of the documents and their earlier versions. */
  characters: number;
}

const BOUNDS: TrashBounds = { documents: 10_000, characters: 200_000_000 };
/** Documents per query when the trash is full. */
const AT_ONCE = 20;

export interface Removal {
  id: string;
  /** Only this version; undefined = any. */
  version: number | undefined;
  /** Who removes it; null = unknown. */
  by: string | null;
  at: Date;
}

/** Moves a document with its earlier versions to the trash; returns whether it existed. */
export async function moveToTrash(
  transaction: Transaction<Tables>,
  { id, version, by, at }: Removal,
): Promise<boolean> {
  // Makes a concurrent insertion at this address wait, so that it then sees which versions are taken.
  await lockUntilCommit(transaction, idLock(id));
  // A no-op update that locks the row, so that other changes of the document wait.
  let lock = transaction
    .updateTable('knowledge_documents')
    .set((row) => ({ hash: row.ref('hash') }))
    .where('id', '=', id);
  if (version !== undefined) lock = lock.where('version', '=', version);
  const document = await lock
    .returning(['title', 'content', 'tags', 'source', 'path', 'hash', 'version', 'created_at', 'updated_at'])
    .executeTakeFirst();
  if (!document) return false;
  const versions = await transaction
    .selectFrom('knowledge_history')
    .select(['version', (row) => row.fn<number>('length', ['content']).as('characters')])
    .where('document_id', '=', id)
    .execute();
  const trashId = newDocumentId();
  await transaction
    .insertInto('knowledge_trash')
    .values({
      ...document,
      id: trashId,
      document_id: id,
      removed_at: at.toISOString(),
      removed_by: by,
      versions: versions.length,
      characters: versions.reduce((sum, { characters }) => sum + characters, document.content.length),
    })
    .execute();
  // One at a time, because together they may take 50 MB.
  for (const each of versions) {
    await moveVersion(transaction, { id, trashId, version: each.version });
    await nextTurn();
  }
  await transaction.deleteFrom('knowledge_documents').where('id', '=', id).execute();
  await keepFormerVersions(transaction, 'document', [{ address: id, version: document.version }]);
  await trimTrash(transaction);
  return true;
}

async function moveVersion(
  transaction: Transaction<Tables>,
  { id, trashId, version }: { id: string; trashId: string; version: number },
): Promise<void> {
  await transaction
    .insertInto('knowledge_trash_history')
    .columns(['trash_id', 'version', 'title', 'tags', 'source', 'saved_at', 'content'])
    .expression((from) =>
      from
        .selectFrom('knowledge_history')
        .select((row) => [row.val(trashId).as('trash_id'), 'version', 'title', 'tags', 'source', 'saved_at', 'content'])
        .where('document_id', '=', id)
        .where('version', '=', version),
    )
    .execute();
  await transaction
    .deleteFrom('knowledge_history')
    .where('document_id', '=', id)
    .where('version', '=', version)
    .execute();
}

/** Permanently deletes the oldest documents until the trash is within its limits. */
export async function trimTrash(
  transaction: Transaction<Tables>,
  { documents: mostDocuments, characters: mostCharacters }: TrashBounds = BOUNDS,
): Promise<void> {
  // Without the lock, two concurrent removals would not see each other's documents in the trash.
  await lockUntilCommit(transaction, 'knowledge:trash');
  const sums = await transaction
    .selectFrom('knowledge_trash')
    .select(({ fn }) => [fn.countAll<number>().as('documents'), fn.sum<number | null>('characters').as('characters')])
    .executeTakeFirstOrThrow();
  let [documents, characters] = [Number(sums.documents), Number(sums.characters)];
  const isFull = () => documents > mostDocuments || characters > mostCharacters;
  while (isFull()) {
    const oldest = await transaction
      .selectFrom('knowledge_trash')
      .select(['id', 'characters'])
      .orderBy('removed_at')
      .orderBy('id')
      .limit(AT_ONCE)
      .execute();
    if (oldest.length === 0) return;
    for (const row of oldest) {
      if (!isFull()) return;
      await transaction.deleteFrom('knowledge_trash').where('id', '=', row.id).execute();
      documents -= 1;
      characters -= row.characters;
      await nextTurn();
    }
  }
}

import type { Transaction } from 'kysely';
import type { Tables } from '../../platform/database/tables.js';
import type { KnowledgeDocumentTable } from '../../platform/database/text-tables.js';
import { formerVersions } from '../../platform/database/former-versions.table.js';
import { lockUntilCommit } from '../../platform/sql/dialect.js';
import { idLock } from './documents/document-summary.table.js';
import { insertParts } from './passages/document-parts.table.js';
import type { IndexedDocument } from './passages/passages.rules.js';
import type { Document } from './documents/document.js';

export interface NewDocument {
  document: Document;
  indexed: IndexedDocument;
}

/**
 * Adds documents with their tags and passages; returns the versions of the added ones. Skips a document whose path or id is
 * taken, or which has the same content as another when neither was imported from a file.
 */
export async function addDocuments(
  transaction: Transaction<Tables>,
  all: readonly NewDocument[],
): Promise<ReadonlyMap<NewDocument, number>> {
  // Without the lock, two replicas that add the same documents in different orders could deadlock.
  await lockUntilCommit(transaction, ...all.flatMap(({ document }) => keysOf(document)));
  const others = await withoutSame(transaction, firstOfEach(all));
  if (others.length === 0) return new Map();
  const ids = others.map(({ document }) => document.id);
  const former = await formerVersions(transaction, 'document', ids);
  const rows = await transaction
    .insertInto('knowledge_documents')
    .values(others.map(({ document }) => ({ ...toRow(document), version: (former.get(document.id) ?? 0) + 1 })))
    .onConflict((conflict) => conflict.doNothing())
    .returning(['id', 'version'])
    .execute();
  const versions = new Map(rows.map(({ id, version }) => [id, version]));
  const added = others.filter(({ document }) => versions.has(document.id));
  await insertParts(transaction, added);
  return new Map(added.map((one) => [one, versions.get(one.document.id) ?? 1]));
}

/** Leaves out those with the same content as a document that was not imported from a file. */
async function withoutSame(transaction: Transaction<Tables>, all: readonly NewDocument[]): Promise<NewDocument[]> {
  const hashes = all.flatMap(({ document: { path, hash } }) => (path === null ? [hash] : []));
  if (hashes.length === 0) return [...all];
  const rows = await transaction
    .selectFrom('knowledge_documents')
    .select('hash')
    .where('hash', 'in', hashes)
    .where('path', 'is', null)
    .execute();
  const known = new Set(rows.map(({ hash }) => hash));
  return all.filter(({ document: { path, hash } }) => path !== null || !known.has(hash));
}

/** Leaves out those that conflict with an earlier one of the list. */
function firstOfEach(all: readonly NewDocument[]): NewDocument[] {
  const taken = new Set<string>();
  return all.filter(({ document }) => {
    const keys = keysOf(document);
    if (keys.some((key) => taken.has(key))) return false;
    for (const key of keys) taken.add(key);
    return true;
  });
}

const keysOf = ({ id, path, hash }: Document): string[] => [
  idLock(id),
  path === null ? `knowledge:hash ${hash}` : `knowledge:path ${path}`,
];

export function toRow(document: Document): KnowledgeDocumentTable {
  return {
    id: document.id,
    title: document.title,
    content: document.content,
    tags: JSON.stringify(document.tags),
    source: document.source,
    path: document.path,
    hash: document.hash,
    version: document.version,
    created_at: document.createdAt.toISOString(),
    updated_at: document.updatedAt.toISOString(),
  };
}

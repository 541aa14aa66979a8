import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Selectable, Transaction } from 'kysely';
import type { Tables } from '../../../platform/database/tables.js';
import type { KnowledgeDocumentTable } from '../../../platform/database/text-tables.js';
import { addToTextIndex, removeFromTextIndex } from '../../../platform/text/text-index.js';
import { lengthsOf } from '../../../platform/text/word-counts.rules.js';
import type { Document, Placed } from '../documents/document.js';
import { differenceOf, placed, toColumns } from './passage-difference.rules.js';
import type { IndexedDocument, IndexedPassage } from './passages.rules.js';

export const KNOWLEDGE_INDEX = 'knowledge_index';
/** Rows per batch; other work gets its turn between two batches. */
const AT_ONCE = 20;

/** The version of what is stored of documents for searches; documents of an earlier one are indexed again. */
export const INDEXED_AS = 5;

/** Adds the tags and the passages of a new document, and adds the passages to the text index. */
export async function insertParts(
  transaction: Transaction<Tables>,
  document: Document,
  { passages, counts }: IndexedDocument,
): Promise<void> {
  await insertTags(transaction, document);
  await insertPassages(
    transaction,
    document,
    passages.map((passage, position) => placed(passage, position)),
  );
  await insertWords(transaction, document, counts);
}

interface Replacement {
  document: Document;
  indexed: IndexedDocument;
  before: Pick<Selectable<KnowledgeDocumentTable>, 'title' | 'tags'>;
}

/** Replaces the tags and the passages of a document; unchanged passages keep their rows and embeddings. */
export async function replaceParts(
  transaction: Transaction<Tables>,
  { document, indexed, before }: Replacement,
): Promise<void> {
  const hasSameTags = before.tags === JSON.stringify(document.tags);
  if (!hasSameTags) {
    await transaction.deleteFrom('knowledge_tags').where('document_id', '=', document.id).execute();
    await insertTags(transaction, document);
  }
  const words = await transaction
    .deleteFrom('knowledge_document_words')
    .where('document_id', '=', document.id)
    .returning('indexed_as')
    .executeTakeFirst();
  const isSame = hasSameTags && before.title === document.title;
  // Passages are also indexed by title and tags, so a change of these replaces all passages.
  await replacePassages(transaction, document, indexed.passages, isSame);
  if (isSame && words?.indexed_as !== INDEXED_AS) await indexAgain(transaction, document, indexed.passages);
  await insertWords(transaction, document, indexed.counts);
}

async function insertWords(transaction: Transaction<Tables>, { id }: Document, counts: Uint8Array): Promise<void> {
  const { title, context, body } = lengthsOf(counts);
  await transaction
    .insertInto('knowledge_document_words')
    .values({
      document_id: id,
      indexed_as: INDEXED_AS,
      title_words: title,
      context_words: context,
      body_words: body,
      counts,
    })
    .execute();
}

async function insertTags(transaction: Transaction<Tables>, { id, tags }: Document): Promise<void> {
  if (tags.length === 0) return;
  const rows = tags.map((tag) => ({ tag, document_id: id }));
  await transaction.insertInto('knowledge_tags').values(rows).execute();
}

async function replacePassages(
  transaction: Transaction<Tables>,
  document: Document,
  passages: readonly IndexedPassage[],
  keepsSame: boolean,
): Promise<void> {
  const before = await transaction
    .selectFrom('knowledge_passages')
    .select(['id', 'position', 'headings', 'content', 'start', 'lead'])
    .where('document_id', '=', document.id)
    .orderBy('position')
    .execute();
  const { added, moved, removed } = keepsSame
    ? differenceOf(before, passages)
    : {
        added: passages.map((passage, position) => placed(passage, position)),
        moved: [],
        removed: before.map(({ id }) => id),
      };
  for (const ids of inBatches(removed)) {
    await transaction.deleteFrom('knowledge_passages').where('id', 'in', ids).execute();
    await nextTurn();
  }
  for (const batch of inBatches(moved)) {
    for (const { id, ...place } of batch) {
      await transaction.updateTable('knowledge_passages').set(place).where('id', '=', id).execute();
    }
    await nextTurn();
  }
  await insertPassages(transaction, document, added);
}

/** Indexes the passages that the index of an earlier version does not have in today's form. */
async function indexAgain(
  transaction: Transaction<Tables>,
  { id: documentId }: Document,
  passages: readonly IndexedPassage[],
): Promise<void> {
  const rows = await transaction
    .selectFrom('knowledge_passages')
    .select(['id', 'position'])
    .where('document_id', '=', documentId)
    .execute();
  for (const batch of inBatches(rows)) {
    for (const { id } of batch) await removeFromTextIndex(transaction, KNOWLEDGE_INDEX, id);
    const indexed = batch.flatMap(({ id, position }) => {
      const words = passages[position]?.words;
      return words ? [{ id, ...words }] : [];
    });
    await addToTextIndex(transaction, KNOWLEDGE_INDEX, indexed);
    await nextTurn();
  }
}

async function insertPassages(
  transaction: Transaction<Tables>,
  document: Document,
  passages: readonly Placed<IndexedPassage>[],
): Promise<void> {
  for (const batch of inBatches(passages)) {
    const rows = await transaction
      .insertInto('knowledge_passages')
      .values(batch.map((passage) => ({ document_id: document.id, ...toColumns(passage), position: passage.position })))
      .returning(['id', 'position'])
      .execute();
    const ids = new Map(rows.map(({ id, position }) => [position, id]));
    const indexed = batch.flatMap(({ words, position }) => {
      const id = ids.get(position);
      return id === undefined ? [] : [{ id, ...words }];
    });
    await addToTextIndex(transaction, KNOWLEDGE_INDEX, indexed);
    await nextTurn();
  }
}

function* inBatches<Entry>(entries: readonly Entry[]): Generator<Entry[]> {
  for (let start = 0; start < entries.length; start += AT_ONCE) yield entries.slice(start, start + AT_ONCE);
}

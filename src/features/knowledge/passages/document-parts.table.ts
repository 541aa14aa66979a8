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

/** Version of the search data of documents; documents with an earlier one are reindexed. */
export const INDEXED_AS = 5;

interface Parts {
  document: Pick<Document, 'id' | 'tags'>;
  indexed: IndexedDocument;
}

/** Adds the tags and the passages of new documents, and adds the passages to the text index. */
export async function insertParts(transaction: Transaction<Tables>, all: readonly Parts[]): Promise<void> {
  const passages = all.flatMap(({ document, indexed }) =>
    indexed.passages.map((passage, position) => ({ ...passage, position, documentId: document.id })),
  );
  await insertTags(
    transaction,
    all.map(({ document }) => document),
  );
  await insertPassages(transaction, passages);
  await insertWords(transaction, all);
}

interface Replacement extends Parts {
  document: Document;
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
    await insertTags(transaction, [document]);
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
  await insertWords(transaction, [{ document, indexed }]);
}

async function insertWords(transaction: Transaction<Tables>, all: readonly Parts[]): Promise<void> {
  const rows = all.map(({ document: { id }, indexed: { counts } }) => {
    const { title, context, body } = lengthsOf(counts);
    const words = { title_words: title, context_words: context, body_words: body };
    return { document_id: id, indexed_as: INDEXED_AS, ...words, counts };
  });
  for (const batch of inBatches(rows)) await transaction.insertInto('knowledge_document_words').values(batch).execute();
}

async function insertTags(transaction: Transaction<Tables>, documents: readonly Parts['document'][]): Promise<void> {
  const rows = documents.flatMap(({ id, tags }) => tags.map((tag) => ({ tag, document_id: id })));
  if (rows.length > 0) await transaction.insertInto('knowledge_tags').values(rows).execute();
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
  await insertPassages(
    transaction,
    added.map((passage) => ({ ...passage, documentId: document.id })),
  );
}

/** Reindexes the passages that are not in the current index format. */
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
  passages: readonly (Placed<IndexedPassage> & { documentId: string })[],
): Promise<void> {
  for (const batch of inBatches(passages)) {
    const rows = await transaction
      .insertInto('knowledge_passages')
      .values(
        batch.map((passage) => ({
          document_id: passage.documentId,
          position: passage.position,
          ...toColumns(passage),
        })),
      )
      .returning(['id', 'document_id', 'position'])
      .execute();
    const ids = new Map(rows.map(({ id, document_id, position }) => [`${position} ${document_id}`, id]));
    const indexed = batch.flatMap(({ words, position, documentId }) => {
      const id = ids.get(`${position} ${documentId}`);
      return id === undefined ? [] : [{ id, ...words }];
    });
    await addToTextIndex(transaction, KNOWLEDGE_INDEX, indexed);
    await nextTurn();
  }
}

export const isShort = ({ passages }: IndexedDocument): boolean => passages.length <= AT_ONCE;

function* inBatches<Entry>(entries: readonly Entry[]): Generator<Entry[]> {
  for (let start = 0; start < entries.length; start += AT_ONCE) yield entries.slice(start, start + AT_ONCE);
}

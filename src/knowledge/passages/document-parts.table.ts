import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Selectable, Transaction } from 'kysely';
import { addToTextIndex } from '../../text/text-index.js';
import type { KnowledgeDocumentTable, Tables } from '../../database/tables.js';
import type { Document } from '../document.js';
import type { IndexedPassage } from './indexed-passages.rules.js';
import { differenceOf, type Placed, placed, toColumns } from './passage-difference.rules.js';

export const KNOWLEDGE_INDEX = 'knowledge_index';
/** Between two batches, others have their turn. */
const AT_ONCE = 100;

/** Adds what a new document is found by: its tags and its passages, and those to the text index. */
export async function insertParts(
  transaction: Transaction<Tables>,
  document: Document,
  passages: readonly IndexedPassage[],
): Promise<void> {
  await insertTags(transaction, document);
  await insertPassages(
    transaction,
    document,
    passages.map((passage, position) => placed(passage, position)),
  );
}

interface Replacement {
  document: Document;
  passages: readonly IndexedPassage[];
  before: Pick<Selectable<KnowledgeDocumentTable>, 'title' | 'tags'>;
}

/** Passages that stay the same stay as they are, with all that is known of them. */
export async function replaceParts(
  transaction: Transaction<Tables>,
  { document, passages, before }: Replacement,
): Promise<void> {
  const hasSameTags = before.tags === JSON.stringify(document.tags);
  if (!hasSameTags) {
    await transaction.deleteFrom('knowledge_tags').where('document_id', '=', document.id).execute();
    await insertTags(transaction, document);
  }
  // A passage is found by the title and the tags, too.
  await replacePassages(transaction, document, passages, hasSameTags && before.title === document.title);
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
    .select(['id', 'position', 'headings', 'content'])
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
    for (const { id, position } of batch) {
      await transaction.updateTable('knowledge_passages').set({ position }).where('id', '=', id).execute();
    }
    await nextTurn();
  }
  await insertPassages(transaction, document, added);
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

import type { Transaction } from 'kysely';
import type { Tables } from '../../platform/database/tables.js';
import { addToTextIndex } from '../../platform/text/text-index.js';
import { type Label, labelOf } from '../../platform/text/label.rules.js';
import { languageOf } from '../../platform/text/language.rules.js';
import { toIndexedText } from '../../platform/text/word-counts.rules.js';
import { indexedText } from '../../platform/text/words.rules.js';
import type { MemoryEntry } from './memory-entry.js';

export const MEMORY_INDEX = 'memory_index';

/** The label of entries in the current index format; others are reindexed. */
export const INDEXED_TODAY = labelOf('form', '2');

/** Returns the index labels of entries that have all the tags. @param namespace null = all */
export const labelsOf = (namespace: string | null, tags: readonly string[]): Label[] => [
  ...(namespace === null ? [] : [labelOf('namespace', namespace)]),
  ...tags.map((tag) => labelOf('tag', tag)),
];

/** Adds the key, the tags and the content of an entry to the text index. */
export async function indexEntry(
  transaction: Transaction<Tables>,
  { id, namespace, key, tags, content }: MemoryEntry & { id: number },
): Promise<void> {
  const language = languageOf(content);
  const fields = {
    title: indexedText(key, language),
    context: indexedText(tags.join('\n'), language),
    body: indexedText(content, language),
  };
  const labels = [INDEXED_TODAY, ...labelsOf(namespace, tags)];
  await addToTextIndex(transaction, MEMORY_INDEX, [{ id, ...toIndexedText(fields, language, labels) }]);
}

import type { Transaction } from 'kysely';
import type { Tables } from '../../platform/database/tables.js';
import { addToTextIndex } from '../../platform/text/text-index.js';
import { type Label, labelOf } from '../../platform/text/label.rules.js';
import { languageOf } from '../../platform/text/language.rules.js';
import { toIndexedText } from '../../platform/text/word-counts.rules.js';
import { indexedText } from '../../platform/text/words.rules.js';
import type { MemoryEntry } from './memory-entry.js';

export const MEMORY_INDEX = 'memory_index';

/** Returns the label that the entries of a namespace have in the index. */
export const labelOfNamespace = (namespace: string): Label => labelOf('namespace', namespace);

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
  await addToTextIndex(transaction, MEMORY_INDEX, [
    { id, ...toIndexedText(fields, language, [labelOfNamespace(namespace)]) },
  ]);
}

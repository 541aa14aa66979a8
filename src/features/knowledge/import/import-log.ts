import type { KeyValueStore } from '../../../platform/database/key-value.store.js';
import type { AppEvents } from '../../../platform/events/app-events.js';

type Change = AppEvents['knowledge.changed'];

const FACT = 'knowledge.imports';
/** Maximum number of changes waiting for the service, equal to the size of the change log. */
const MOST_CHANGES = 10_000;
/** When there are too many to record, those that change the list of documents are recorded first. */
const ORDER = ['created', 'removed', 'updated'];

/**
 * Records the changes of an import for the service, a separate process on the same database, which notifies its clients. Returns
 * the number of changes that were dropped because too many are waiting.
 */
export async function recordImport(facts: KeyValueStore, changes: readonly Change[]): Promise<number> {
  if (changes.length === 0) return 0;
  for (;;) {
    const before = await facts.find(FACT);
    const all = [...toChanges(before), ...changes];
    const inOrder = all.toSorted((a, b) => ORDER.indexOf(a.change) - ORDER.indexOf(b.change));
    const kept = new Set(inOrder.slice(0, MOST_CHANGES));
    const recorded = JSON.stringify(all.filter((change) => kept.has(change)));
    if (await facts.replace(FACT, before, recorded)) return all.length - kept.size;
  }
}

/** Takes the changes of imports that no process of the service has taken yet, oldest first: each is taken once. */
export async function takeImported(facts: KeyValueStore): Promise<Change[]> {
  const before = await facts.find(FACT);
  const changes = toChanges(before);
  return changes.length > 0 && (await facts.replace(FACT, before, '[]')) ? changes : [];
}

const toChanges = (value: string | undefined): Change[] => JSON.parse(value ?? '[]') as Change[];

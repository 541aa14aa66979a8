import type { KeyValueStore } from '../../../platform/database/key-value.store.js';
import type { AppEvents } from '../../../platform/events/app-events.js';

type Change = AppEvents['knowledge.changed'];

/** The documents that one import from the command line changed. */
interface ImportRecord {
  changes: Change[];
}

const FACT = 'knowledge.imports';
const MOST_IMPORTS = 5;
const MOST_CHANGES = 500;
/** When an import has too many changes to record, those that change the list of documents are recorded first. */
const ORDER = ['created', 'removed', 'updated'];

/** Leaves the changes of an import for the service, a separate process on the same database, which tells its clients. */
export async function recordImport(facts: KeyValueStore, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return;
  const inOrder = changes.toSorted((a, b) => ORDER.indexOf(a.change) - ORDER.indexOf(b.change));
  const record = { changes: inOrder.slice(0, MOST_CHANGES) };
  for (;;) {
    const before = await facts.find(FACT);
    const records = [record, ...toRecords(before)].slice(0, MOST_IMPORTS);
    if (await facts.replace(FACT, before, JSON.stringify(records))) return;
  }
}

/** Returns the changes of the imports that no process of the service has taken yet, the oldest first: each is taken once. */
export async function takeImported(facts: KeyValueStore): Promise<Change[]> {
  const before = await facts.find(FACT);
  const records = toRecords(before);
  if (records.length === 0 || !(await facts.replace(FACT, before, '[]'))) return [];
  return records.reverse().flatMap(({ changes }) => changes);
}

const toRecords = (value: string | undefined): ImportRecord[] => JSON.parse(value ?? '[]') as ImportRecord[];

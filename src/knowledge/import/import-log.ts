import { randomUUID } from 'node:crypto';
import type { FactStore } from '../../database/fact.store.js';
import type { AppEvents } from '../../events/app-events.js';

type Change = AppEvents['knowledge.changed'];

/** The documents that one import from the command line changed. */
interface ImportRecord {
  id: string;
  changes: Change[];
}

const FACT = 'knowledge.imports';
// The log is kept small because the service reads it every few seconds.
const MOST_IMPORTS = 5;
const MOST_CHANGES = 500;
/** When an import has too many changes to record, those that change the list of documents are recorded first. */
const ORDER = ['created', 'removed', 'updated'];

/**
 * Returns the last imports from the command line, the latest first. The service, a separate process on the same
 * database, learns of them this way.
 */
export async function listImports(facts: FactStore): Promise<ImportRecord[]> {
  return JSON.parse((await facts.find(FACT)) ?? '[]') as ImportRecord[];
}

export async function recordImport(facts: FactStore, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return;
  const inOrder = changes.toSorted((a, b) => ORDER.indexOf(a.change) - ORDER.indexOf(b.change));
  const record = { id: randomUUID(), changes: inOrder.slice(0, MOST_CHANGES) };
  const records = [record, ...(await listImports(facts))].slice(0, MOST_IMPORTS);
  await facts.save(FACT, JSON.stringify(records));
}

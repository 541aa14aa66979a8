import { randomUUID } from 'node:crypto';
import type { FactStore } from '../../database/fact.store.js';
import type { AppEvents } from '../../events/app-events.js';

type Change = AppEvents['knowledge.changed'];

/** What one import by the command line changed. */
interface ImportRecord {
  id: string;
  changes: Change[];
}

const FACT = 'knowledge.imports';
// Read every few seconds, so it stays small.
const MOST_IMPORTS = 5;
const MOST_CHANGES = 500;
/** Of an import that is too large to be told in full, what changed the list of documents is told first. */
const ORDER = ['created', 'removed', 'updated'];

/** The last imports by the command line, for the service that runs beside it on the same database; the latest first. */
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

import { hash } from 'node:crypto';
import type { ChainLink } from './audit-entry.js';
import { compared, type PreparedRecord, type RecordFacts } from './audit-record.rules.js';

export const MOST_ENTRIES = 2_000;
/** After this many characters, a batch takes no more entries. */
export const MOST_CHARACTERS = 1024 * 1024;
/**
 * Maximum time span of the entries in a batch, in milliseconds. Queries rely on it: a batch that ends more than this after a
 * given time has no entries before that time.
 */
export const MOST_SPAN_MS = 120_000;

export const BEGINNING: ChainLink = { seq: 0, hash: '0'.repeat(64) };

/** Entries that are stored in one row. */
export interface NewBatch {
  /** The records, one per line. */
  text: string;
  entries: number;
  /** The earliest and the latest time of the entries, in milliseconds. */
  fromMs: number;
  toMs: number;
  /** The number of entries in which each term occurs. */
  terms: ReadonlyMap<string, number>;
}

/** Splits records into as few batches as possible, keeping their order. */
export function batchesOf(records: readonly PreparedRecord[]): NewBatch[] {
  const batches: NewBatch[] = [];
  let first = 0;
  while (first < records.length) {
    const count = countOfBatch(records, first);
    batches.push(batchOf(records.slice(first, first + count)));
    first += count;
  }
  return batches;
}

function countOfBatch(records: readonly PreparedRecord[], first: number): number {
  let [count, characters, fromMs, toMs] = [0, 0, Infinity, -Infinity];
  for (let record = records[first]; record; record = records[first + count]) {
    const ms = Date.parse(record.facts.at);
    [fromMs, toMs] = [Math.min(fromMs, ms), Math.max(toMs, ms)];
    const isFull = count >= MOST_ENTRIES || characters >= MOST_CHARACTERS || toMs - fromMs > MOST_SPAN_MS;
    if (isFull) break;
    count += 1;
    characters += record.json.length;
  }
  return count;
}

function batchOf(records: readonly PreparedRecord[]): NewBatch {
  const facts = records.map((record) => record.facts);
  const text = records.map(({ json }) => json).join('\n');
  return { text, entries: records.length, ...spanOf(facts), terms: countsOfTerms(facts) };
}

/** Returns the earliest and the latest time of entries, in milliseconds. */
export function spanOf(facts: readonly RecordFacts[]): { fromMs: number; toMs: number } {
  let [from, to] = [facts[0]?.at ?? '', ''];
  for (const { at } of facts) {
    if (at < from) from = at;
    if (at > to) to = at;
  }
  return { fromMs: Date.parse(from), toMs: Date.parse(to) };
}

export function countsOfTerms(facts: readonly RecordFacts[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const fact of facts) {
    for (const term of termsOf(fact)) counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  return counts;
}

/** Returns the terms that index an entry. Successful calls have none for kind and outcome, because most entries are such calls. */
export function termsOf({ kind, client, admin, subject, outcome }: Omit<RecordFacts, 'at'>): string[] {
  const terms: string[] = [];
  if (client !== null) terms.push(`c:${client}`);
  if (admin !== null) terms.push(`a:${admin}`);
  if (subject !== null) terms.push(`s:${compared(subject)}`);
  if (outcome !== 'ok') terms.push(`o:${outcome}`);
  if (kind !== 'call') terms.push(`k:${kind}`);
  return terms;
}

/** Returns the hash of a batch: SHA-256, in hexadecimal, of the hash before, a line break, and the text of the batch. */
export const linkHash = (previousHash: string, text: string): string =>
  hash('sha256', `${previousHash}\n${text}`, 'hex');

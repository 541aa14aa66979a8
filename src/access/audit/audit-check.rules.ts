import type { AuditRecord, ChainLink } from './audit-entry.js';
import { countsOfTerms, linkHash, MOST_SPAN_MS, spanOf } from './audit-batch.rules.js';
import { bodiesIn, type JoinedBodies } from './audit-bodies.js';
import { textOf } from './audit-body.rules.js';
import { factsOf, parsedRecord } from './audit-record.rules.js';

export interface BatchColumns {
  firstSeq: number;
  lastSeq: number;
  fromMs: number;
  toMs: number;
  hash: string;
  /** The last deleted entry, if the batch records a deletion; else null. */
  deletedTo: ChainLink | null;
}

export interface TermOfBatch {
  firstSeq: number;
  term: string;
  toMs: number;
  n: number;
}

/** The first place where the chain is broken. */
export interface BrokenLink {
  /** The entry, or the first one of its batch when the exact entry is unknown. */
  seq: number;
  problem: string;
}

/** A job that checks whether batches follow a place in the chain. */
export interface CheckJob {
  after: ChainLink;
  batches: readonly BatchColumns[];
  bodies: JoinedBodies;
  /** All terms between the first and the last of these batches, including those of missing batches. */
  terms: readonly TermOfBatch[];
}

export interface Checked {
  /** The last verified entry. */
  last: ChainLink;
  /** Number of verified entries. */
  checked: number;
  broken: BrokenLink | null;
}

/** Checks batches up to the first invalid one. */
export function checkBatches({ after, batches, bodies, terms }: CheckJob): Checked {
  const termsOf = Map.groupBy(terms, ({ firstSeq }) => firstSeq);
  const texts = bodiesIn(bodies);
  let [last, checked] = [after, 0];
  for (const [index, batch] of batches.entries()) {
    const own = termsOf.get(batch.firstSeq) ?? [];
    const broken = brokenIn(batch, last, texts[index] ?? new Uint8Array(), own);
    if (broken) return { last, checked, broken };
    last = { seq: batch.lastSeq, hash: batch.hash };
    checked += batch.lastSeq - batch.firstSeq + 1;
    termsOf.delete(batch.firstSeq);
  }
  const [stray] = [...termsOf.values()].flat();
  if (!stray) return { last, checked, broken: null };
  return { last, checked, broken: { seq: stray.firstSeq, problem: `the term ${stray.term} belongs to no batch` } };
}

function brokenIn(
  batch: BatchColumns,
  previous: ChainLink,
  body: Uint8Array,
  terms: readonly TermOfBatch[],
): BrokenLink | null {
  const { firstSeq: seq, lastSeq } = batch;
  if (seq !== previous.seq + 1) return { seq: previous.seq + 1, problem: 'the entry is missing' };
  const entries = lastSeq > seq ? `entries ${seq} to ${lastSeq}` : `entry ${seq}`;
  const text = textOf(body);
  if (text === null) return { seq, problem: `the text of ${entries} cannot be read, or is too long` };
  if (linkHash(previous.hash, text) !== batch.hash)
    return { seq, problem: `one of ${entries}, or their hash, was changed` };
  const records = text.split('\n').map(parsedRecord);
  const wrong = records.indexOf(null);
  if (wrong >= 0) return { seq: seq + wrong, problem: 'the entry is none that the log has written' };
  const problem = problemOfColumns(
    batch,
    records.filter((record) => record !== null),
    terms,
  );
  return problem === null ? null : { seq, problem: `${problem} of ${entries}` };
}

type Records = readonly AuditRecord[];

function problemOfColumns(batch: BatchColumns, records: Records, terms: readonly TermOfBatch[]): string | null {
  const facts = records.map(factsOf);
  const { fromMs, toMs } = spanOf(facts);
  const deletedTo = records.findLast(({ kind }) => kind === 'retention')?.deletedTo ?? null;
  if (batch.lastSeq - batch.firstSeq + 1 !== records.length) return 'the column last_seq does not fit the text';
  if (batch.fromMs !== fromMs) return 'the column from_ms does not fit the text';
  if (batch.toMs !== toMs) return 'the column to_ms does not fit the text';
  if (toMs - fromMs > MOST_SPAN_MS) return 'there are times too far apart in the text';
  if (batch.deletedTo?.seq !== deletedTo?.seq || batch.deletedTo?.hash !== deletedTo?.hash)
    return 'the columns deleted_to_seq and deleted_to_hash do not fit the text';
  return problemOfTerms(batch, countsOfTerms(facts), terms);
}

function problemOfTerms(
  { toMs }: BatchColumns,
  counts: Map<string, number>,
  terms: readonly TermOfBatch[],
): string | null {
  for (const { term, n, toMs: termMs } of terms) {
    if (counts.get(term) !== n || termMs !== toMs) return `the term ${term} in audit_terms does not fit the text`;
    counts.delete(term);
  }
  const [missing] = counts.keys();
  return missing === undefined ? null : `audit_terms lacks the term ${missing}`;
}

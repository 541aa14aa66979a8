import { Injectable } from '@nestjs/common';
import type { AuditLogTable } from '../../platform/database/access-tables.js';
import { AuditAppendStore, type ChainEnds } from './audit-append.store.js';
import type { ChainLink } from './audit-entry.js';
import { AuditQueryStore } from './audit-query.store.js';
import { BEGINNING, columnsOfRecord, linkHash, parsedRecord } from './audit-record.rules.js';

/** The first place where the chain is broken. */
export interface BrokenLink {
  seq: number;
  problem: string;
}

export interface Verification {
  /** Number of entries that were checked. */
  checked: number;
  /** The last entry that was checked and found right. */
  last: ChainLink;
  /** Whether the chain was checked to its end. */
  isComplete: boolean;
  broken: BrokenLink | null;
}

const AT_ONCE = 500;
const NOT_SAID = 'no entry says that the entries before this one were deleted for their age';

/** Checks that the entries of the audit log are those that were written, and that none is missing. */
@Injectable()
export class AuditChain {
  constructor(
    private readonly appended: AuditAppendStore,
    private readonly entries: AuditQueryStore,
  ) {}

  /**
   * Checks the chain up to its first broken link, in portions, while the service continues.
   * @param after the place to begin after; by default the anchor
   * @param most how many entries are checked; by default all
   */
  async verify({ after = 0, most = Infinity }: { after?: number; most?: number } = {}): Promise<Verification> {
    const { ends, isAnchorSaid } = await this.endsAsSaid();
    const begin = isAnchorSaid ? await this.beginning(after, ends) : { seq: ends.anchor.seq + 1, problem: NOT_SAID };
    if ('problem' in begin) return { checked: 0, last: ends.anchor, isComplete: true, broken: begin };
    let last = begin;
    let checked = 0;
    while (last.seq < ends.head.seq && checked < most) {
      const rows = await this.entries.listFrom(
        last.seq + 1,
        Math.min(AT_ONCE, most - checked, ends.head.seq - last.seq),
      );
      const outcome = checkLinks(last, rows);
      checked += outcome.checked;
      const problem = outcome.problem ?? (rows.length === 0 ? 'the entry is missing' : null);
      if (problem !== null) {
        const { anchor } = await this.appended.ends();
        // Retention deletes old entries meanwhile.
        if (anchor.seq > outcome.last.seq) {
          last = anchor;
          continue;
        }
        const broken = { seq: outcome.last.seq + 1, problem };
        return { checked, last: outcome.last, isComplete: true, broken };
      }
      last = outcome.last;
    }
    const isComplete = last.seq >= ends.head.seq;
    const broken = isComplete ? await this.problemAtEnd(last, ends) : null;
    return { checked, last, isComplete, broken };
  }

  /** Returns the ends of the chain, and whether the entries themselves say that those before the anchor were deleted. */
  private async endsAsSaid(): Promise<{ ends: ChainEnds; isAnchorSaid: boolean }> {
    let ends = await this.appended.ends();
    for (;;) {
      const said = (await this.entries.deletedTo()) ?? BEGINNING;
      if (said.seq === ends.anchor.seq && said.hash === ends.anchor.hash) return { ends, isAnchorSaid: true };
      const { anchor } = ends;
      ends = await this.appended.ends();
      // Retention deletes old entries meanwhile.
      if (ends.anchor.seq === anchor.seq) return { ends, isAnchorSaid: false };
    }
  }

  private async beginning(after: number, { anchor, head }: ChainEnds): Promise<ChainLink | BrokenLink> {
    if (after > anchor.seq) {
      const [row] = await this.entries.listFrom(after, 1);
      if (row && Number(row.seq) === after) return { seq: after, hash: row.hash };
      return after > head.seq ? head : { seq: after, problem: 'the entry is missing' };
    }
    const [first] = await this.entries.listFrom(0, 1);
    if (!first || Number(first.seq) > anchor.seq) return anchor;
    return {
      seq: Number(first.seq),
      problem: 'the entry should have been deleted: the anchor of the chain comes after it',
    };
  }

  private async problemAtEnd(last: ChainLink, { head }: ChainEnds): Promise<BrokenLink | null> {
    if (last.seq > head.seq) return null;
    if (last.hash !== head.hash) {
      return { seq: last.seq, problem: 'the chain does not end with the hash that was recorded as its end' };
    }
    const now = await this.appended.ends();
    const [extra] = await this.entries.listFrom(now.head.seq + 1, 1);
    // An entry that was appended since is no problem: then the recorded end has moved, too.
    if (extra && (await this.appended.ends()).head.seq < Number(extra.seq)) {
      return { seq: Number(extra.seq), problem: 'the entry comes after the recorded end of the chain' };
    }
    const missing = await this.entries.missingGuards();
    if (missing.length === 0) return null;
    const problem = `entries after this one may have been deleted: the database lacks the triggers ${missing.join(', ')}`;
    return { seq: last.seq, problem };
  }
}

/** Checks rows that should follow a link; `problem` is about the one after `last`. */
function checkLinks(
  from: ChainLink,
  rows: readonly AuditLogTable[],
): { last: ChainLink; checked: number; problem: string | null } {
  let last = from;
  let checked = 0;
  for (const row of rows) {
    const problem = problemOf(row, last);
    if (problem !== null) return { last, checked, problem };
    last = { seq: Number(row.seq), hash: row.hash };
    checked += 1;
  }
  return { last, checked, problem: null };
}

function problemOf(row: AuditLogTable, { seq, hash }: ChainLink): string | null {
  if (Number(row.seq) !== seq + 1) return 'the entry is missing';
  if (linkHash(hash, row.record) !== row.hash) return 'the entry, or its hash, was changed';
  const record = parsedRecord(row.record);
  if (record?.seq !== Number(row.seq)) return 'the entry has the number of another one';
  const wrong = Object.entries(columnsOfRecord(record)).find(([column, value]) => Reflect.get(row, column) !== value);
  return wrong ? `the column ${wrong[0]} does not say what the record says` : null;
}

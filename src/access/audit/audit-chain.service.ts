import { Injectable } from '@nestjs/common';
import { AuditAppendStore, type ChainEnds } from './audit-append.store.js';
import { AuditBatchStore } from './audit-batch.store.js';
import { BEGINNING } from './audit-batch.rules.js';
import type { BrokenLink, Checked } from './audit-check.rules.js';
import type { ChainLink } from './audit-entry.js';
import { parsedRecord } from './audit-record.rules.js';
import { AuditTexts } from './audit-texts.service.js';

export interface Verification {
  checked: number;
  /** The last entry that was verified: the last one of its batch. */
  last: ChainLink;
  /** True when the chain was checked to its end. */
  isComplete: boolean;
  broken: BrokenLink | null;
}

const [ENTRIES_AT_ONCE, BYTES_AT_ONCE] = [10_000, 4 * 1024 * 1024];
const NOT_RECORDED = 'no entry says that the entries before this one were deleted for their age';

/** Verifies that the entries of the audit log are unchanged, and that none is missing. */
@Injectable()
export class AuditChain {
  constructor(
    private readonly appended: AuditAppendStore,
    private readonly batches: AuditBatchStore,
    private readonly texts: AuditTexts,
  ) {}

  /**
   * Checks the chain up to its first broken link, in portions, while the service continues.
   * @param after the last entry of the batch to begin after; by default the anchor
   * @param most maximum number of entries to check, but at least one batch; by default all
   */
  async verify({ after = 0, most = Infinity }: { after?: number; most?: number } = {}): Promise<Verification> {
    const { ends, isAnchorRecorded } = await this.recordedEnds();
    const begin = isAnchorRecorded
      ? await this.beginning(after, ends)
      : { seq: ends.anchor.seq + 1, problem: NOT_RECORDED };
    if ('problem' in begin) return { checked: 0, last: ends.anchor, isComplete: true, broken: begin };
    let last = begin;
    let checked = 0;
    while (last.seq < ends.head.seq && checked < most) {
      const portion = await this.checkAfter(last, Math.min(ENTRIES_AT_ONCE, most - checked), ends.head);
      checked += portion.checked;
      last = portion.last;
      if (!portion.broken) continue;
      const { anchor } = await this.appended.ends();
      // Retention deletes old entries meanwhile.
      if (anchor.seq <= last.seq) return { checked, last, isComplete: true, broken: portion.broken };
      last = anchor;
    }
    const isComplete = last.seq >= ends.head.seq;
    const broken = isComplete ? await this.problemAtEnd(last, ends) : null;
    return { checked, last, isComplete, broken };
  }

  /** Checks the next batches, with at most this many entries, but at least one batch. */
  private async checkAfter(after: ChainLink, entries: number, head: ChainLink): Promise<Checked> {
    const found = await this.batches.listFrom(after.seq + 1, { entries, bytes: BYTES_AT_ONCE });
    const batches = found.filter(({ firstSeq }) => firstSeq <= head.seq);
    const last = batches.at(-1);
    const missing = { seq: after.seq + 1, problem: 'the entry is missing' };
    if (!last) return { last: after, checked: 0, broken: missing };
    const bodies = await this.batches.bodiesOf(batches);
    const terms = await this.batches.termsBetween(after.seq + 1, last.lastSeq);
    return this.texts.check({ after, batches, bodies, terms });
  }

  /** Returns the ends of the chain, and whether the entries themselves record the deletion of those before the anchor. */
  private async recordedEnds(): Promise<{ ends: ChainEnds; isAnchorRecorded: boolean }> {
    let ends = await this.appended.ends();
    for (;;) {
      const recorded = (await this.deletedTo()) ?? BEGINNING;
      if (recorded.seq === ends.anchor.seq && recorded.hash === ends.anchor.hash)
        return { ends, isAnchorRecorded: true };
      const { anchor } = ends;
      ends = await this.appended.ends();
      // Retention deletes old entries meanwhile.
      if (ends.anchor.seq === anchor.seq) return { ends, isAnchorRecorded: false };
    }
  }

  /** Returns the last entry that the latest retention deleted, as its own entry records; null before the first deletion. */
  private async deletedTo(): Promise<ChainLink | null> {
    const batch = await this.batches.findRetention();
    if (!batch) return null;
    const text = await this.texts.read((await this.batches.bodiesOf([batch])).bytes);
    const records = text?.split('\n').map(parsedRecord) ?? [];
    return records.findLast((record) => record?.kind === 'retention')?.deletedTo ?? null;
  }

  private async beginning(after: number, { anchor, head }: ChainEnds): Promise<ChainLink | BrokenLink> {
    if (after > anchor.seq) {
      const batch = await this.batches.findUpTo(after);
      if (batch && batch.lastSeq > after) return this.endBefore(batch.firstSeq, anchor);
      if (batch?.lastSeq === after) return { seq: after, hash: batch.hash };
      return after > head.seq ? head : { seq: (batch?.lastSeq ?? anchor.seq) + 1, problem: 'the entry is missing' };
    }
    const [first] = await this.batches.listFrom(0, { entries: 1, bytes: 1 });
    if (!first || first.firstSeq > anchor.seq) return anchor;
    return {
      seq: first.firstSeq,
      problem: 'the entry should have been deleted: the anchor of the chain comes after it',
    };
  }

  private async endBefore(firstSeq: number, anchor: ChainLink): Promise<ChainLink> {
    const batch = await this.batches.findUpTo(firstSeq - 1);
    return batch ? { seq: batch.lastSeq, hash: batch.hash } : anchor;
  }

  private async problemAtEnd(last: ChainLink, { anchor, head }: ChainEnds): Promise<BrokenLink | null> {
    if (last.seq === head.seq && last.hash !== head.hash) {
      return { seq: last.seq, problem: 'the chain does not end with the hash that was recorded as its end' };
    }
    const now = await this.appended.ends();
    const [extra] = await this.batches.listFrom(now.head.seq + 1, { entries: 1, bytes: 1 });
    const afterEnd = extra?.firstSeq ?? (last.seq > now.head.seq ? last.seq : 0);
    // An entry that was appended in the meantime is fine: the recorded end has moved, too.
    if (afterEnd > 0 && (await this.appended.ends()).head.seq < afterEnd) {
      return { seq: afterEnd, problem: 'the entry comes after the recorded end of the chain' };
    }
    const stray = await this.batches.termOutside(anchor.seq, now.head.seq);
    const isStray = stray && (stray.seq <= anchor.seq || (await this.appended.ends()).head.seq < stray.seq);
    if (isStray) return { seq: stray.seq, problem: `the term ${stray.term} in audit_terms belongs to no entry` };
    const missing = await this.batches.missingGuards();
    if (missing.length === 0) return null;
    const problem = `entries after this one may have been deleted: the database lacks the triggers ${missing.join(', ')}`;
    return { seq: last.seq, problem };
  }
}

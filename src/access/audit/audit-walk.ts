import type { AuditBatchStore, Candidate, CandidatesQuery } from './audit-batch.store.js';
import { type EntryPlace, isListedBefore } from './audit-search.rules.js';

/**
 * The cost limit of a page, in scanned entries. With a filter that few entries match, a page may end early; its cursor continues
 * from there.
 */
const MOST_SCANNED = 50_000;
/** The cost of reading a batch, besides its entries, and of skipping one because of its terms. */
const [READ_COST, SKIP_COST] = [20, 4];
const ROWS_AT_ONCE = 256;
const [PORTION_ENTRIES, PORTION_BYTES] = [10_000, 4 * 1024 * 1024];

/** Walks through the batches in which a query may find something, newest entries first. */
export class AuditWalk {
  private ahead: Candidate[] = [];
  private hasMore = true;
  private last: Candidate | null = null;
  private left = MOST_SCANNED;

  /**
   * @param before where the page begins; null = at the newest entry. Earlier batches that reach into the page cost
   *   nothing, so that each page gets further.
   * @param wanted number of entries that are likely to be enough
   */
  constructor(
    private readonly store: Pick<AuditBatchStore, 'listCandidates'>,
    private readonly query: Omit<CandidatesQuery, 'after' | 'limit'>,
    private readonly before: EntryPlace | null,
    private wanted: number,
  ) {}

  /** True when the page has reached its cost limit. */
  get isOver(): boolean {
    return this.left <= 0;
  }

  async next(): Promise<Candidate | undefined> {
    for (;;) {
      if (this.ahead.length === 0 && this.hasMore) await this.load();
      const [first] = this.ahead;
      if (!first || first.fits || this.isOver) return first;
      this.take(SKIP_COST);
    }
  }

  /** Takes the next portion of batches: each is four times as large as the previous one, up to a limit. */
  async portion(): Promise<Candidate[]> {
    const taken: Candidate[] = [];
    let [found, entries, bytes] = [0, 0, 0];
    for (let next = await this.next(); next && !this.isOver; next = await this.next()) {
      entries += entriesOf(next);
      bytes += next.bytes;
      const isEnough = found >= this.wanted || entries > PORTION_ENTRIES || bytes > PORTION_BYTES;
      if (taken.length > 0 && isEnough) break;
      found += next.n;
      this.take(READ_COST + entriesOf(next));
      taken.push(next);
    }
    this.wanted *= 4;
    return taken;
  }

  private async load(): Promise<void> {
    this.ahead = await this.store.listCandidates({ ...this.query, after: this.last, limit: ROWS_AT_ONCE });
    this.hasMore = this.ahead.length === ROWS_AT_ONCE;
    this.last = this.ahead.at(-1) ?? this.last;
  }

  private take(cost: number): void {
    const first = this.ahead.shift();
    if (first && !(this.before && isListedBefore(placeOf(first), this.before))) this.left -= cost;
  }
}

const entriesOf = ({ firstSeq, lastSeq }: Candidate): number => lastSeq - firstSeq + 1;

/** Returns the place in lists that precedes all entries of a batch and of all later batches. */
export const placeOf = ({ toMs, lastSeq }: Candidate): EntryPlace => ({
  at: new Date(toMs).toISOString(),
  seq: lastSeq + 1,
});

import { Injectable, Logger } from '@nestjs/common';
import {
  InvalidCursor,
  numberInCursor,
  type Page,
  type PageRequest,
  parseCursor,
  toCursor,
} from '../../platform/paging/page-cursor.js';
import { AuditAppendStore } from './audit-append.store.js';
import { AuditBatchStore, type BatchRow, type Candidate } from './audit-batch.store.js';
import { termsOf } from './audit-batch.rules.js';
import type { AuditBatch, AuditItem } from './audit-entry.js';
import { AuditBatchUnreadable, AuditEntryNotFound } from './audit.errors.js';
import { parsedRecord } from './audit-record.rules.js';
import { type AuditFilter, type EntryPlace, isListedBefore, newest } from './audit-search.rules.js';
import { AuditTexts } from './audit-texts.service.js';
import { AuditWalk, placeOf } from './audit-walk.js';

const PORTION = 500;
/** Terms in more batches than this count as equally frequent when the term to walk along is chosen. */
const MANY_BATCHES = 1_000;

@Injectable()
export class AuditReader {
  private readonly logger = new Logger(AuditReader.name);

  constructor(
    private readonly batches: AuditBatchStore,
    private readonly texts: AuditTexts,
    private readonly appended: AuditAppendStore,
  ) {}

  /** @throws AuditEntryNotFound, AuditBatchUnreadable */
  async get(seq: number): Promise<AuditItem> {
    const batch = await this.batchOf(seq);
    const record = parsedRecord((await this.textOf(batch)).split('\n')[seq - batch.firstSeq] ?? '');
    if (!record) throw new AuditBatchUnreadable(batch);
    return { seq, ...record, hash: batch.hash };
  }

  /** Returns the batch that holds an entry, as it was written. @throws AuditEntryNotFound, AuditBatchUnreadable */
  async getBatch(seq: number): Promise<AuditBatch> {
    const batch = await this.batchOf(seq);
    const { firstSeq, lastSeq, hash } = batch;
    return { firstSeq, lastSeq, previousHash: await this.hashBefore(firstSeq), hash, text: await this.textOf(batch) };
  }

  /**
   * Returns one page of entries, the newest first. The time for a page is limited, so it may have fewer entries than requested,
   * or none, although more follow: check `nextCursor`.
   */
  async listPage({ limit, cursor, ...filter }: PageRequest & AuditFilter): Promise<Page<AuditItem>> {
    const before = cursor === undefined ? null : placeIn(cursor);
    const terms = await this.batches.rarestFirst(termsOf(wantedFacts(filter)), MANY_BATCHES);
    const query = { terms, fromMs: filter.from?.getTime() ?? null, toMs: endOf(filter, before) };
    const walk = new AuditWalk(this.batches, query, before, limit + 1);
    let found: Found[] = [];
    for (;;) {
      const next = await walk.next();
      const bound = next ? placeOf(next) : null;
      // Batches overlap in time: entries after the bound may have to come after those of the next batch.
      const items = found.filter((entry) => !(bound && isListedBefore(bound, entry)));
      if (items.length > limit) return toPage(items.slice(0, limit), items[limit - 1]);
      if (!next || walk.isOver) return toPage(items, bound);
      const more = await this.search(await walk.portion(), filter, before, limit + 1);
      found = newest([...found, ...more], limit + 1);
    }
  }

  /** Returns the latest calls of all clients, the newest first; fewer when many other entries came since. */
  async latestCalls(limit: number): Promise<AuditItem[]> {
    const calls: AuditItem[] = [];
    for await (const call of this.entries({ kind: 'call' }, Math.min(limit, PORTION))) {
      calls.push(call);
      if (calls.length >= limit) break;
    }
    return calls;
  }

  /** Returns the entries that match a filter as JSON lines, newest first. */
  async *exportLines(filter: AuditFilter): AsyncGenerator<string> {
    for await (const item of this.entries(filter, PORTION)) yield `${JSON.stringify(item)}\n`;
  }

  private async *entries(filter: AuditFilter, limit: number): AsyncGenerator<AuditItem> {
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const page: Page<AuditItem> = await this.listPage({ ...filter, limit, cursor });
      yield* page.items;
      cursor = page.nextCursor;
    }
  }

  private async search(
    portion: readonly Candidate[],
    filter: AuditFilter,
    before: EntryPlace | null,
    limit: number,
  ): Promise<Found[]> {
    const bodies = await this.batches.bodiesOf(portion);
    const firstSeqs = portion.map(({ firstSeq }) => firstSeq);
    const { found, unreadable } = await this.texts.search({ bodies, firstSeqs, filter, before, limit });
    for (const batch of unreadable) this.logger.warn(new AuditBatchUnreadable(portion[batch]).message);
    return found.map(({ at, seq, json, batch }) => ({ at, seq, json, hash: portion[batch]?.hash ?? '' }));
  }

  private async batchOf(seq: number): Promise<BatchRow> {
    const batch = await this.batches.findUpTo(seq);
    if (!batch || batch.lastSeq < seq) throw new AuditEntryNotFound(seq);
    return batch;
  }

  private async textOf(batch: BatchRow): Promise<string> {
    const { bytes } = await this.batches.bodiesOf([batch]);
    const text = await this.texts.read(bytes);
    if (text === null) throw new AuditBatchUnreadable(batch);
    return text;
  }

  /** Returns the hash to which a batch is chained. */
  private async hashBefore(firstSeq: number): Promise<string> {
    const previous = await this.batches.findUpTo(firstSeq - 1);
    return previous?.hash ?? (await this.appended.ends()).anchor.hash;
  }
}

interface Found extends EntryPlace {
  json: string;
  hash: string;
}

/** The facts that all matching entries share, as far as terms exist for them. */
function wantedFacts({ kind, client, admin, subject, outcome }: AuditFilter) {
  return {
    kind: kind ?? 'call',
    client: client ?? null,
    admin: admin ?? null,
    subject: subject ?? null,
    outcome: outcome ?? 'ok',
  };
}

/** Returns the time before which a batch must have entries, in milliseconds; null = any. */
function endOf({ to }: AuditFilter, before: EntryPlace | null): number | null {
  const ends = [to?.getTime(), before ? Date.parse(before.at) + 1 : undefined].filter((end) => end !== undefined);
  return ends.length === 0 ? null : Math.min(...ends);
}

function placeIn(cursor: string): EntryPlace {
  const [at = '', seq = ''] = parseCursor(cursor, 2);
  if (Number.isNaN(Date.parse(at))) throw new InvalidCursor();
  return { at, seq: numberInCursor(seq) };
}

function toPage(found: readonly Found[], last: EntryPlace | null | undefined): Page<AuditItem> {
  const items = found.flatMap(({ seq, json, hash }) => {
    const record = parsedRecord(json);
    return record ? [{ seq, ...record, hash }] : [];
  });
  return { items, nextCursor: last ? toCursor(last.at, String(last.seq)) : null };
}

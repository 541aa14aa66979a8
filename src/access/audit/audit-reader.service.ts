import { Injectable } from '@nestjs/common';
import type { Page, PageRequest } from '../../platform/paging/page-cursor.js';
import type { AuditItem } from './audit-entry.js';
import { type AuditFilter, AuditQueryStore } from './audit-query.store.js';
import { AuditEntryNotFound } from './audit.errors.js';

const PORTION = 500;

/** Reads the audit log. */
@Injectable()
export class AuditReader {
  constructor(private readonly store: AuditQueryStore) {}

  /** @throws AuditEntryNotFound */
  async get(seq: number): Promise<AuditItem> {
    const item = await this.store.find(seq);
    if (!item) throw new AuditEntryNotFound(seq);
    return item;
  }

  /**
   * Returns one page of entries, the newest first. Each page takes a limited time, so it may hold fewer entries than asked
   * for, or none, although there are more: `nextCursor` says so.
   */
  listPage(query: PageRequest & AuditFilter): Promise<Page<AuditItem>> {
    return this.store.listPage(query);
  }

  /** Returns the latest calls of all clients, the newest first; fewer when many other entries came since. */
  async latestCalls(limit: number): Promise<AuditItem[]> {
    const calls: AuditItem[] = [];
    for await (const call of this.entries({ kind: 'call' })) {
      calls.push(call);
      if (calls.length >= limit) break;
    }
    return calls;
  }

  /** Returns the entries that fit a filter as lines of JSON, the newest first. */
  async *exportLines(filter: AuditFilter): AsyncGenerator<string> {
    for await (const item of this.entries(filter)) yield `${JSON.stringify(item)}\n`;
  }

  private async *entries(filter: AuditFilter): AsyncGenerator<AuditItem> {
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const page: Page<AuditItem> = await this.store.listPage({ ...filter, limit: PORTION, cursor });
      yield* page.items;
      cursor = page.nextCursor;
    }
  }
}

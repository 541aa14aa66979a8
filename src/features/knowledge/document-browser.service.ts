import { Injectable } from '@nestjs/common';
import { toCursor } from '../../platform/paging/page-cursor.js';
import { normalTags } from '../../platform/text/words.rules.js';
import type { DocumentSummary, KnowledgeHit } from './documents/document.js';
import { documentAddress } from './documents/address.rules.js';
import { DocumentNotFound } from './documents/knowledge.errors.js';
import { KnowledgeStore } from './knowledge.store.js';
import { PassageStore } from './passages/passage.store.js';

export interface NewestQuery {
  /** The document must have all of them. */
  tags?: readonly string[] | undefined;
  /** Id or address of a document, or of a part of it: only documents that were changed before it. */
  before?: string | undefined;
  limit: number;
}

export interface NewestDocuments {
  hits: KnowledgeHit[];
  hasMore: boolean;
}

/** Lists documents without a query: last changed first, each with its first passage. */
@Injectable()
export class DocumentBrowser {
  constructor(
    private readonly store: KnowledgeStore,
    private readonly passages: PassageStore,
  ) {}

  /** @throws DocumentNotFound when the document `before` does not exist */
  async newest({ tags = [], before, limit }: NewestQuery): Promise<NewestDocuments> {
    const cursor = before === undefined ? undefined : await this.cursorOf(documentAddress(before).id);
    const page = await this.store.listPage({ tags: normalTags(tags), cursor, limit });
    const hits = await Promise.all(page.items.map((document) => this.toHit(document)));
    return { hits, hasMore: page.nextCursor !== null };
  }

  private async cursorOf(id: string): Promise<string> {
    const document = await this.store.find(id);
    if (!document) throw new DocumentNotFound(id);
    return toCursor(document.updatedAt.toISOString(), document.id);
  }

  private async toHit({ characters: _characters, ...document }: DocumentSummary): Promise<KnowledgeHit> {
    // A document without words has no passage.
    const { passage, neighbours } = (await this.passages.find(document.id, 0)) ?? EMPTY;
    return { document, passage, neighbours, matches: [], match: 'listed', also: null };
  }
}

const EMPTY = {
  passage: { headings: [], content: '', start: 0, lead: '', position: 0 },
  neighbours: { previous: null, next: null },
};

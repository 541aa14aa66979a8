import { Injectable } from '@nestjs/common';
import type { MemoryVersion, NamespaceSize } from '../../memory/memory-entry.js';
import { MemoryService } from '../../memory/memory.service.js';
import { mapPage, onePage, type Page } from '../../paging/page-cursor.js';
import {
  type MemoryBody,
  type MemoryQuery,
  type MemoryView,
  type NewMemoryBody,
  type SavedMemoryView,
  toMemoryView,
} from './memory.schema.js';

const CLIENT = 'admin';

/** Serves the memory to administrators. */
@Injectable()
export class AdminMemory {
  constructor(private readonly memory: MemoryService) {}

  async listPage({ q, ...page }: MemoryQuery): Promise<Page<MemoryView>> {
    if (!q) return mapPage(await this.memory.listPage(page), toMemoryView);
    const hits = await this.memory.search({ query: q, namespace: page.namespace, limit: page.limit });
    return onePage(hits.map(({ entry }) => toMemoryView(entry)));
  }

  async get(namespace: string, key: string): Promise<MemoryView> {
    return toMemoryView(await this.memory.get(namespace, key));
  }

  history(namespace: string, key: string): Promise<MemoryVersion[]> {
    return this.memory.history(namespace, key);
  }

  listNamespaces(): Promise<NamespaceSize[]> {
    return this.memory.listNamespaceSizes();
  }

  async save({ tags, importance, namespace, ...body }: NewMemoryBody): Promise<SavedMemoryView> {
    const given = { tags: tags ?? undefined, importance: importance ?? undefined, namespace: namespace ?? undefined };
    const { outcome, entry, twin } = await this.memory.save({ ...body, ...given, client: CLIENT });
    return { ...toMemoryView(entry), outcome, sameAs: twin?.key ?? null };
  }

  async update(namespace: string, key: string, body: MemoryBody): Promise<SavedMemoryView> {
    await this.memory.get(namespace, key);
    return this.save({ ...body, namespace, key });
  }

  remove(namespace: string, key: string): Promise<void> {
    return this.memory.remove(namespace, key);
  }
}

import { Injectable } from '@nestjs/common';
import { MemoryMovedOn } from '../../../features/memory/memory.errors.js';
import { MemoryService } from '../../../features/memory/memory.service.js';
import { mapPage, onePage, type Page } from '../../../platform/paging/page-cursor.js';
import { OutdatedChange } from '../api/versions/versions.errors.js';
import {
  type MemoryBody,
  type MemoryQuery,
  type MemoryView,
  type NewMemoryBody,
  type SavedMemoryView,
  toMemoryView,
} from './memory.schema.js';

const CLIENT = 'admin';

/** An entry, in the version that the caller knows; undefined = whichever it is. */
interface KnownEntry {
  namespace: string;
  key: string;
  version: number | undefined;
}

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

  async save({ tags, importance, namespace, ...body }: NewMemoryBody, basedOn?: number): Promise<SavedMemoryView> {
    const given = { tags: tags ?? undefined, importance: importance ?? undefined, namespace: namespace ?? undefined };
    const { outcome, entry, twin } = await this.memory
      .save({ ...body, ...given, basedOn, client: CLIENT })
      .catch(tellPresent);
    return { ...toMemoryView(entry), outcome, sameAs: twin?.key ?? null };
  }

  async update({ namespace, key, version }: KnownEntry, body: MemoryBody): Promise<SavedMemoryView> {
    await this.memory.get(namespace, key);
    return this.save({ ...body, namespace, key }, version);
  }

  remove({ namespace, key, version }: KnownEntry): Promise<void> {
    return this.memory.remove(namespace, key, version).catch(tellPresent);
  }
}

function tellPresent(error: unknown): never {
  throw error instanceof MemoryMovedOn ? new OutdatedChange(error, toMemoryView(error.present)) : error;
}

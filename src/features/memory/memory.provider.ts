import { Injectable } from '@nestjs/common';
import { parsedOrNull } from '#bounded-json';
import { EventBus } from '../../platform/events/event-bus.service.js';
import { memoryUri } from './memory.rules.js';
import { MemoryService } from './memory.service.js';
import { mapPage, type Page, type PageRequest } from '../../platform/paging/page-cursor.js';
import type {
  Completion,
  ResourceContent,
  ResourceEntry,
  ResourceStore,
  ResourceTemplateEntry,
  ResourceWatcher,
} from '../../core/resources/resource-store.js';

const MARKDOWN = 'text/markdown';
const JSON_TYPE = 'application/json';
const TEMPLATE = 'memory://{namespace}/{key}';
const URI = /^memory:\/\/(?<namespace>[^/?#]+)\/(?<key>[^/?#]+)(?<history>\/history)?$/;

/** Serves `memory://{namespace}/{key}`, a memory entry, and with `/history` at the end, its earlier versions. */
@Injectable()
export class MemoryResources implements ResourceStore {
  readonly scheme = 'memory';
  readonly position = 2;

  constructor(
    private readonly memory: MemoryService,
    private readonly events: EventBus,
  ) {}

  async listPage(page: PageRequest): Promise<Page<ResourceEntry>> {
    return mapPage(await this.memory.listByKey(page), (entry) => ({
      uri: memoryUri(entry),
      name: `${entry.namespace}/${entry.key}`,
      description: `Importance ${entry.importance}${entry.tags.length > 0 ? `; tags: ${entry.tags.join(', ')}` : ''}`,
      mimeType: mimeTypeOf(entry.content),
    }));
  }

  templates(): ResourceTemplateEntry[] {
    return [
      {
        uriTemplate: TEMPLATE,
        name: 'Memory entry',
        description: 'What is remembered under a key of a namespace; memory_search finds entries',
        mimeType: MARKDOWN,
      },
      {
        uriTemplate: `${TEMPLATE}/history`,
        name: 'History of a memory entry',
        description: 'The earlier versions of the entry, the latest first',
        mimeType: JSON_TYPE,
      },
    ];
  }

  canonical(uri: string): string | null {
    const { namespace, key } = URI.exec(uri)?.groups ?? {};
    return namespace === undefined || key === undefined ? null : memoryUri({ namespace, key });
  }

  async read(uri: string): Promise<ResourceContent[] | null> {
    const { namespace, key, history } = URI.exec(uri)?.groups ?? {};
    const entry = namespace === undefined || key === undefined ? undefined : await this.memory.find(namespace, key);
    if (!entry) return null;
    if (history === undefined) return [{ uri, mimeType: mimeTypeOf(entry.content), text: entry.content }];
    const versions = await this.memory.history(entry.namespace, entry.key);
    return [{ uri, mimeType: JSON_TYPE, text: JSON.stringify(versions, null, 2) }];
  }

  complete({ variable, prefix, chosen, limit }: Completion): Promise<string[]> {
    return variable === 'namespace'
      ? this.memory.listNamespaces({ prefix, limit })
      : this.memory.listKeys({ prefix, limit, namespace: chosen['namespace'] || undefined });
  }

  watch(watcher: ResourceWatcher): () => void {
    return this.events.on('memory.changed', ({ change, relisted = false, ...entry }) => {
      // Clients may watch an entry before it exists, and are notified when it is created.
      watcher.updated(memoryUri(entry));
      if (change !== 'updated' || relisted) watcher.listChanged();
    });
  }
}

/** Returns the media type: JSON for content that is JSON, which assistants use for structured data; otherwise Markdown. */
const mimeTypeOf = (content: string): string =>
  /^[[{]/.test(content) && parsedOrNull(content) !== null ? JSON_TYPE : MARKDOWN;

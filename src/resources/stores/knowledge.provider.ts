import { Injectable } from '@nestjs/common';
import { EventBus } from '../../events/event-bus.service.js';
import { documentUri, URI_PREFIX } from '../../knowledge/document.rules.js';
import { KnowledgeService } from '../../knowledge/knowledge.service.js';
import { mapPage, type Page, type PageRequest } from '../../paging/page-cursor.js';
import type {
  Completion,
  ResourceContent,
  ResourceEntry,
  ResourceStore,
  ResourceTemplateEntry,
  ResourceWatcher,
} from '../resource-store.js';

const MIME_TYPE = 'text/markdown';
/** A longer document is read in parts, because what is read at once must fit in a model's context. */
const PART_CHARACTERS = 200_000;
const PART = /^(?<id>[^?#]+)(?:\?part=(?<part>[1-9]\d{0,3}))?$/;

/** Serves `knowledge://documents/{id}`: a document as Markdown. */
@Injectable()
export class KnowledgeResources implements ResourceStore {
  readonly scheme = 'knowledge';

  constructor(
    private readonly knowledge: KnowledgeService,
    private readonly events: EventBus,
  ) {}

  async listPage(page: PageRequest): Promise<Page<ResourceEntry>> {
    return mapPage(await this.knowledge.listByAge(page), ({ id, title, tags }) => ({
      uri: documentUri(id),
      name: id,
      title,
      ...(tags.length > 0 && { description: `Tags: ${tags.join(', ')}` }),
      mimeType: MIME_TYPE,
    }));
  }

  templates(): ResourceTemplateEntry[] {
    const description = 'A document of the knowledge base, as Markdown; knowledge_search finds documents';
    return [{ uriTemplate: `${URI_PREFIX}{id}`, name: 'Document', description, mimeType: MIME_TYPE }];
  }

  canonical(uri: string): string | null {
    const id = uri.startsWith(URI_PREFIX) ? PART.exec(uri.slice(URI_PREFIX.length))?.groups?.['id'] : undefined;
    return id === undefined ? null : documentUri(id);
  }

  async read(uri: string): Promise<ResourceContent[] | null> {
    const { id = '', part = '1' } =
      (uri.startsWith(URI_PREFIX) && PART.exec(uri.slice(URI_PREFIX.length))?.groups) || {};
    const document = await this.knowledge.find(id);
    const text = document && partOf(document.content, Number(part), documentUri(id));
    return text === undefined || text === null ? null : [{ uri, mimeType: MIME_TYPE, text }];
  }

  complete({ prefix, limit }: Completion): Promise<string[]> {
    return this.knowledge.listIds(prefix, limit);
  }

  watch(watcher: ResourceWatcher): () => void {
    return this.events.on('knowledge.changed', ({ id, change }) => {
      if (change !== 'created') watcher.updated(documentUri(id));
      if (change !== 'updated') watcher.listChanged();
    });
  }
}

/** Returns the text of one part, with a note on how to read the next one; null when there are fewer parts. */
function partOf(content: string, part: number, uri: string): string | null {
  const start = (part - 1) * PART_CHARACTERS;
  const parts = Math.max(1, Math.ceil(content.length / PART_CHARACTERS));
  if (part > parts) return null;
  const text = content.slice(start, start + PART_CHARACTERS).toWellFormed();
  return part === parts ? text : `${text}\n\n[Part ${part} of ${parts}. Continue at ${uri}?part=${part + 1}]\n`;
}

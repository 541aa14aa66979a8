import { Injectable } from '@nestjs/common';
import type { Client } from '#skill-kit';
import { EventBus } from '../../platform/events/event-bus.service.js';
import { documentUri, passageUri, URI_PREFIX, versionUri } from './documents/document.rules.js';
import type { Document } from './documents/document.js';
import { KnowledgeService } from './knowledge.service.js';
import { mapPage, type Page, type PageRequest } from '../../platform/paging/page-cursor.js';
import type {
  Completion,
  ReadOptions,
  ResourceContent,
  ResourceEntry,
  ResourceStore,
  ResourceTemplateEntry,
  ResourceWatcher,
} from '../../core/resources/resource-store.js';
import { MOST_CHARACTERS } from '../../core/resources/text-part.rules.js';

const MIME_TYPE = 'text/markdown';
const JSON_TYPE = 'application/json';
const VIEW =
  /^(?<id>[^/?#]+)(?:#passage-(?<passage>[1-9]\d{0,5})|(?<history>\/history\/?)|(?:\/history\/(?<version>[1-9]\d{0,8}))?(?:\?part=(?<part>[1-9]\d{0,3}))?)$/;

/**
 * Serves `knowledge://documents/{id}`, a document as Markdown, and with `#passage-3` at the end, one of its passages; with
 * `/history`, the list of its earlier versions; and with `/history/2`, one of them.
 */
@Injectable()
export class KnowledgeResources implements ResourceStore {
  readonly scheme = 'knowledge';
  readonly position = 1;

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
    const description =
      'A document of the knowledge base, as Markdown; with #passage-3 at the end, only that passage. knowledge_search finds both';
    const history = `${URI_PREFIX}{id}/history`;
    return [
      { uriTemplate: `${URI_PREFIX}{id}`, name: 'Document', description, mimeType: MIME_TYPE },
      {
        uriTemplate: history,
        name: 'History of a document',
        description: 'The versions of the document, the latest first',
        mimeType: JSON_TYPE,
      },
      {
        uriTemplate: `${history}/{version}`,
        name: 'Earlier version of a document',
        description: 'The document as it was, as Markdown',
        mimeType: MIME_TYPE,
      },
    ];
  }

  canonical(uri: string): string | null {
    const { id } = viewOf(uri);
    return id === undefined ? null : documentUri(id);
  }

  async read(uri: string, _client: Client, { whole = false }: ReadOptions = {}): Promise<ResourceContent[] | null> {
    const { id, part = '1', passage, history, version } = viewOf(uri);
    if (id === undefined) return null;
    if (passage !== undefined) return this.readPassage(id, Number(passage) - 1);
    const document = await this.knowledge.find(id);
    if (!document) return null;
    if (history !== undefined) return this.readHistory(uri, document);
    const content = await this.contentOf(document, version);
    if (content === null) return null;
    const [text, ...notes] = whole ? [markdown(uri, content)] : partOf(uri, content, Number(part));
    return text ? [{ ...text, _meta: { version: Number(version ?? document.version) } }, ...notes] : null;
  }

  private async readHistory(uri: string, document: Document): Promise<ResourceContent[]> {
    const { id, version, title, tags, source, updatedAt: savedAt, content } = document;
    const earlier = await this.knowledge.history(id);
    const versions = [
      { uri: documentUri(id), version, title, tags, source, savedAt, characters: content.length },
      ...earlier.map((one) => ({ uri: versionUri(id, one.version), ...one })),
    ];
    return [{ uri, mimeType: JSON_TYPE, text: JSON.stringify(versions, null, 2) }];
  }

  /** Returns the text of a version of a document; null when it is not kept. @param version undefined = the current one */
  private async contentOf(document: Document, version: string | undefined): Promise<string | null> {
    if (version === undefined || Number(version) === document.version) return document.content;
    return (await this.knowledge.findVersion(document.id, Number(version)))?.content ?? null;
  }

  private async readPassage(id: string, position: number): Promise<ResourceContent[] | null> {
    const found = await this.knowledge.findPassage(id, position);
    if (!found) return null;
    const { passage, neighbours } = found;
    const under = passage.headings.length > 0 ? ` under ${passage.headings.join(' > ')}` : '';
    const sentences = [
      `Passage ${position + 1} of ${documentUri(id)}${under}.`,
      ...(passage.lead === '' ? [] : [`It continues: ${passage.lead}`]),
      ...(neighbours.previous ? [`Before it: ${passageUri(id, position - 1)}.`] : []),
      ...(neighbours.next ? [`Read on at ${passageUri(id, position + 1)}.`] : ['It is the last one.']),
    ];
    const uri = passageUri(id, position);
    return [markdown(uri, passage.content), note(uri, sentences.join(' '))];
  }

  async complete({ variable, prefix, chosen, limit }: Completion): Promise<string[]> {
    if (variable === 'id') return this.knowledge.suggestIds(prefix, limit);
    const { id = '' } = chosen;
    const document = await this.knowledge.find(id);
    if (!document) return [];
    const versions = [document, ...(await this.knowledge.history(id))].map(({ version }) => String(version));
    return versions.filter((version) => version.startsWith(prefix)).slice(0, limit);
  }

  watch(watcher: ResourceWatcher): () => void {
    return this.events.on('knowledge.changed', ({ id, change, relisted = false }) => {
      // Clients may watch a document before it exists, and are notified when it is created.
      watcher.updated(documentUri(id));
      if (change !== 'updated' || relisted) watcher.listChanged();
    });
  }
}

const viewOf = (uri: string) =>
  (uri.startsWith(URI_PREFIX) ? VIEW.exec(uri.slice(URI_PREFIX.length))?.groups : undefined) ?? {};

const markdown = (uri: string, text: string): ResourceContent => ({ uri, mimeType: MIME_TYPE, text });
const note = (uri: string, text: string): ResourceContent => ({ uri, mimeType: 'text/plain', text: `[${text}]` });

/** Returns one part, and after it a note on how to read the next one; nothing when there are fewer parts. */
function partOf(uri: string, content: string, part: number): ResourceContent[] {
  const parts = Math.max(1, Math.ceil(content.length / MOST_CHARACTERS));
  if (part > parts) return [];
  const text = content.slice(cutAt(content, part - 1), cutAt(content, part)).toWellFormed();
  if (parts === 1) return [markdown(uri, text)];
  const next = part === parts ? 'It is the last one.' : `Continue at ${uri.replace(/\?.*/, '')}?part=${part + 1}`;
  return [markdown(uri, text), note(uri, `Part ${part} of ${parts}. ${next}`)];
}

/** Returns the end of a part: never within a surrogate pair. */
function cutAt(content: string, part: number): number {
  const end = part * MOST_CHARACTERS;
  return isHighSurrogate(content.charCodeAt(end - 1)) ? end - 1 : end;
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

import { Injectable } from '@nestjs/common';
import { EventBus } from '../../platform/events/event-bus.service.js';
import type { Page, PageRequest } from '../../platform/paging/page-cursor.js';
import type {
  Document,
  DocumentSummary,
  DocumentVersion,
  DocumentVersionSummary,
  KnowledgeHit,
  PlacedPassage,
  SavedDocument,
  SaveOutcome,
} from './documents/document.js';
import { DocumentHistoryStore } from './documents/document-history.store.js';
import {
  isReserved,
  MAX_CONTENT,
  newDocumentId,
  normalDocument,
  readableIds,
  slugOf,
} from './documents/document.rules.js';
import { KnowledgeSearch, type KnowledgeQuery } from './knowledge-search.service.js';
import { DocumentConflict, DocumentNotFound, InvalidDocument, VersionNotFound } from './documents/knowledge.errors.js';
import { type ImportedPath, KnowledgeStore } from './knowledge.store.js';
import { PassageMaker } from './passages/passage-maker.service.js';

export interface DocumentInput {
  /** The document to replace; by default the one with the same path or content, or else a new one. */
  id?: string | undefined;
  /** Optional with an id: the title then stays unchanged. */
  title?: string | undefined;
  content: string;
  /** Optional with an id: the tags then stay unchanged. */
  tags?: readonly string[] | undefined;
  source?: string | null;
  path?: string | null;
  /** The version that the caller knows: any other is not replaced. 0 = no document; undefined = any version. */
  basedOn?: number | undefined;
  /** Metadata of the exported document that a new one keeps; it also identifies a document without a path. */
  exported?: Pick<Document, 'id' | 'createdAt' | 'updatedAt'> | undefined;
}

export interface RemovalOptions {
  /** The version that the caller knows: any other is not removed. undefined = any version. */
  basedOn?: number | undefined;
  /** Who removes it; null = unknown. */
  by?: string | null;
}

/** The effect that saving a document would have. */
export interface Comparison {
  outcome: SaveOutcome;
  title: string;
  /** The document that it would replace, or that already has the same content; null = none. */
  before: Document | null;
}

type Entry = Omit<DocumentSummary, 'characters'>;

/** Matches a text that has a character which can be seen alone. */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}\p{Co}]/u;

/** Saves, finds, lists and removes the documents of the knowledge base. */
@Injectable()
export class KnowledgeService {
  constructor(
    private readonly store: KnowledgeStore,
    private readonly histories: DocumentHistoryStore,
    private readonly finder: KnowledgeSearch,
    private readonly passages: PassageMaker,
    private readonly events: EventBus,
  ) {}

  /**
   * Adds a document, or replaces the one with the same id or path, whose previous version goes to its history. Saving the same
   * content again changes nothing.
   * @throws DocumentNotFound, DocumentConflict, InvalidDocument, JobAborted, ThreadStopped
   */
  async save(input: DocumentInput, now = new Date()): Promise<SavedDocument> {
    const saved = await this.saveUnannounced(input, now);
    this.announce([saved]);
    return saved;
  }

  /** Saves a document without sending its event: for callers that save many documents and then call `announce` once. */
  async saveUnannounced(input: DocumentInput, now = new Date()): Promise<SavedDocument> {
    const { normal, before } = await this.compared(input);
    if (before?.hash === normal.hash) return { document: before, outcome: 'unchanged' };
    if (before) {
      assertBasedOn(before, input.basedOn);
      const change = { ...normal, source: input.source ?? before.source, updatedAt: now };
      const document = { ...before, ...change, version: before.version + 1 };
      const isDone = await this.store.replace(before, document, await this.passages.make(document));
      // On failure, another call has changed or removed it in the meantime: retry.
      return isDone
        ? { document, outcome: 'updated', ...relisted(before, document) }
        : this.saveUnannounced(input, now);
    }
    const document: Document = {
      ...normal,
      id: await this.newId(input, normal.title),
      source: input.source ?? null,
      path: input.path ?? null,
      version: 1,
      createdAt: input.exported?.createdAt ?? now,
      updatedAt: input.exported?.updatedAt ?? now,
    };
    // Another call may have saved the same path or the same text in the meantime.
    const version = await this.store.create(document, await this.passages.make(document));
    return version === undefined
      ? this.saveUnannounced(input, now)
      : { document: { ...document, version }, outcome: 'created' };
  }

  /** Returns the effect that saving a document would have, without saving it. @throws DocumentNotFound, InvalidDocument */
  async compare(input: DocumentInput): Promise<Comparison> {
    const { normal, before } = await this.compared(input);
    const outcome = !before ? 'created' : before.hash === normal.hash ? 'unchanged' : 'updated';
    return { outcome, title: normal.title, before: before ?? null };
  }

  /** Sends the events of saved documents; none for unchanged ones. */
  announce(saved: readonly SavedDocument[]): void {
    for (const { document, outcome, ...how } of saved) {
      if (outcome !== 'unchanged') this.events.emit('knowledge.changed', { id: document.id, change: outcome, ...how });
    }
  }

  /** @throws DocumentNotFound */
  async get(id: string): Promise<Document> {
    const document = await this.store.find(id);
    if (!document) throw new DocumentNotFound(id);
    return document;
  }

  find(id: string): Promise<Document | undefined> {
    return this.store.find(id);
  }

  /** Returns the ids of at most 5 documents that have exactly this title. */
  listIdsByTitle(title: string): Promise<string[]> {
    return this.store.listIdsByTitle(title);
  }

  /** Returns one page of documents, last changed first. */
  listPage({ tag, ...page }: PageRequest & { tag?: string | undefined }): Promise<Page<DocumentSummary>> {
    return this.store.listPage({ ...page, tags: tag === undefined ? [] : [tag.toLowerCase()] });
  }

  /** Returns one page of documents, oldest first. */
  listByAge(page: PageRequest): Promise<Page<Entry>> {
    return this.store.listByAge(page);
  }

  /** Returns one page of documents with their contents, oldest first. */
  listWholeByAge(page: PageRequest): Promise<Page<Document>> {
    return this.store.listWholeByAge(page);
  }

  listPaths(): Promise<ImportedPath[]> {
    return this.store.listPaths();
  }

  /** Returns the ids that begin with the typed text, then those of documents whose title contains it. */
  async suggestIds(typed: string, limit: number): Promise<string[]> {
    const ids = await this.store.listIds(typed, limit);
    if (typed.trim() === '' || ids.length === limit) return ids;
    return [...new Set([...ids, ...(await this.store.listIdsByTitlePart(typed.trim(), limit))])].slice(0, limit);
  }

  search(query: KnowledgeQuery): Promise<KnowledgeHit[]> {
    return this.finder.search(query);
  }

  /** Returns the passage at a position of a document; undefined when there is none. @param position 0 = the first */
  findPassage(id: string, position: number): Promise<PlacedPassage | undefined> {
    return this.finder.findPassage(id, position);
  }

  /** Returns the kept earlier versions of a document, latest first. @throws DocumentNotFound */
  async history(id: string): Promise<DocumentVersionSummary[]> {
    await this.get(id);
    return this.histories.list(id);
  }

  /** Returns an earlier version of a document. @throws DocumentNotFound, VersionNotFound */
  async version(id: string, version: number): Promise<DocumentVersion> {
    await this.get(id);
    const found = await this.findVersion(id, version);
    if (!found) throw new VersionNotFound(id, version);
    return found;
  }

  findVersion(id: string, version: number): Promise<DocumentVersion | undefined> {
    return this.histories.find(id, version);
  }

  /**
   * Moves a document with its history to the trash.
   * @throws DocumentNotFound, DocumentConflict
   */
  async remove(id: string, { basedOn, by = null }: RemovalOptions = {}, now = new Date()): Promise<void> {
    assertBasedOn(await this.get(id), basedOn);
    // Another call may have changed or removed it in the meantime.
    if (!(await this.store.remove({ id, version: basedOn, by, at: now }))) return this.remove(id, { basedOn, by }, now);
    this.events.emit('knowledge.changed', { id, change: 'removed' });
  }

  /** Indexes documents that have no passages because they are from an import of the whole database. */
  async indexMissing(): Promise<void> {
    for (let after: string | null = ''; after !== null;) {
      const { ids, next }: { ids: string[]; next: string | null } = await this.store.listUnindexed(after);
      for (const id of ids) {
        const document = await this.store.find(id);
        if (document) await this.store.index(document, await this.passages.make(document));
      }
      after = next;
    }
  }

  private async compared(input: DocumentInput) {
    const { id, title, content, tags } = input;
    const known = id === undefined ? undefined : await this.get(id);
    const normal = normalDocument({ title: title ?? known?.title ?? '', content, tags: tags ?? known?.tags });
    if (!VISIBLE.test(normal.title))
      throw new InvalidDocument('title', 'must not be empty or invisible: a new document needs one');
    if (normal.content.length > MAX_CONTENT) {
      throw new InvalidDocument('content', `must have at most ${MAX_CONTENT} characters: split it into documents`);
    }
    return { normal, before: known ?? (await this.findToReplace(input, normal.hash)) };
  }

  private async findToReplace({ path, exported }: DocumentInput, hash: string): Promise<Document | undefined> {
    if (path) return this.store.findByPath(path);
    const same = exported && (await this.store.find(exported.id));
    return same?.path === null ? same : this.store.findByHash(hash);
  }

  private async newId({ exported }: DocumentInput, title: string): Promise<string> {
    if (exported && !isReserved(exported.id) && !(await this.store.find(exported.id))) return exported.id;
    const slug = slugOf(title);
    if (slug === '') return newDocumentId();
    const [best = slug, ...others] = readableIds(slug);
    for (const ids of [[best], others]) {
      // most titles are unique
      const taken = await this.store.listTaken(ids);
      const free = ids.find((id) => !taken.has(id));
      if (free !== undefined) return free;
    }
    return `${slug}-${newDocumentId()}`;
  }
}

function assertBasedOn(present: Document, basedOn: number | undefined): void {
  if (basedOn !== undefined && basedOn !== present.version) throw new DocumentConflict(present, basedOn);
}

const listedAs = ({ title, tags }: Document): string => JSON.stringify([title, tags]);

const relisted = (before: Document, after: Document): Pick<SavedDocument, 'relisted'> =>
  listedAs(before) === listedAs(after) ? {} : { relisted: true };

import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { AppError } from '../../../platform/errors/app-error.js';
import { onePage, type Page, type PageRequest } from '../../../platform/paging/page-cursor.js';
import { MAX_TAGS, normalTags } from '../../../platform/text/words.rules.js';
import type { Document } from '../documents/document.js';
import { DocumentConflict, DocumentNotFound } from '../documents/knowledge.errors.js';
import { KnowledgeService } from '../knowledge.service.js';
import { DocumentCountStore, type TagCount } from './document-count.store.js';
import { type DocumentMatch, DocumentMatchStore, type MatchingDocument } from './document-match.store.js';

/** A document in the version that the caller has seen. */
export type SeenDocument = Pick<Document, 'id' | 'version'>;

export type ManyChange =
  { remove: true } | { remove: false; addTags: readonly string[]; removeTags: readonly string[] };

/**
 * The outcome for a document. `outdated`: its version is not the one that the caller saw; `missing`: there is no such document;
 * `failed`: it could not be changed. These three leave the document unchanged.
 */
export type ChangeOutcome = 'deleted' | 'updated' | 'unchanged' | 'outdated' | 'missing' | 'failed';

export interface ChangedDocument {
  id: string;
  /** null = the document does not exist. */
  title: string | null;
  outcome: ChangeOutcome;
  /** The current version; null = the document does not exist. */
  version: number | null;
  /** Why it was not changed; null = no problem. */
  problem: string | null;
}

/** Called for each changed document. `after`: null = deleted. */
export type OnChanged = (before: Document, after: Document | null) => Promise<void>;

/** Counts the documents and their tags, and changes many documents at once. */
@Injectable()
export class DocumentCollection {
  constructor(
    private readonly knowledge: KnowledgeService,
    private readonly counts: DocumentCountStore,
    private readonly matches: DocumentMatchStore,
  ) {}

  count(): Promise<number> {
    return this.counts.count();
  }

  async countMatching(match: DocumentMatch): Promise<number> {
    const normal = normalMatch(match);
    return normal === null ? 0 : this.matches.count(normal);
  }

  /** Returns one page of all matching documents, ordered by id. */
  async listMatching({ limit, cursor, ...match }: PageRequest & DocumentMatch): Promise<Page<MatchingDocument>> {
    const normal = normalMatch(match);
    return normal === null ? onePage([]) : this.matches.listPage({ ...normal, limit, cursor });
  }

  /** Returns the tags that contain the typed text, most used first. */
  listTags(typed: string, limit: number): Promise<TagCount[]> {
    return this.counts.listTags(typed.trim().toLowerCase(), limit);
  }

  /**
   * Changes documents one after the other, each independently, and returns the outcome of each. A failed change does not affect
   * the others. When the database fails, the rest is left unchanged.
   * @param source the source of the change
   */
  async changeAll(
    documents: readonly SeenDocument[],
    change: ManyChange,
    { source, onChanged }: { source: string; onChanged: OnChanged },
  ): Promise<ChangedDocument[]> {
    const results: ChangedDocument[] = [];
    let stopped: AppError | null = null;
    for (const seen of documents) {
      const done: Done = stopped ? leftAs(seen, stopped) : await this.tryOne(seen, change, source);
      if (done.error?.kind === 'unavailable') stopped = done.error;
      if (done.before) await onChanged(done.before, done.after ?? null);
      results.push(done.result);
      await nextTurn();
    }
    return results;
  }

  private async tryOne(seen: SeenDocument, change: ManyChange, source: string): Promise<Done> {
    try {
      return await this.changeOne(seen, change, source);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return leftAs(seen, error);
    }
  }

  private async changeOne({ id, version }: SeenDocument, change: ManyChange, source: string): Promise<Done> {
    const before = await this.knowledge.get(id);
    if (before.version !== version) throw new DocumentConflict(before, version);
    const { title, content } = before;
    if (change.remove) {
      await this.knowledge.remove(id, { basedOn: version, by: source });
      return { result: { id, title, outcome: 'deleted', version: null, problem: null }, before };
    }
    const tags = tagsAfter(before.tags, change);
    if (tags.length > MAX_TAGS) {
      const problem = `it would have ${tags.length} tags, and a document has at most ${MAX_TAGS}: remove some first`;
      return { result: { id, title, outcome: 'failed', version, problem } };
    }
    const saved = await this.knowledge.save({ id, title, content, tags, source, basedOn: version });
    const { document: after, outcome } = saved;
    const result = { id, title, version: after.version, problem: null };
    if (outcome === 'unchanged') return { result: { ...result, outcome } };
    return { result: { ...result, outcome: 'updated' }, before, after };
  }
}

interface Done {
  result: ChangedDocument;
  /** The document before the change; absent if it was not changed. */
  before?: Document;
  /** Absent if the document was deleted. */
  after?: Document;
  /** Why the document was not changed. */
  error?: AppError;
}

const leftAs = (seen: SeenDocument, error: AppError): Done => ({ result: leftOut(seen, error), error });

/** Returns the match with the tag in normal form; null when no document can have the tag. */
function normalMatch({ query, tag }: DocumentMatch): DocumentMatch | null {
  if (tag === undefined) return { query };
  const [normal] = normalTags([tag]);
  return normal === undefined ? null : { query, tag: normal };
}

type TagChange = Extract<ManyChange, { remove: false }>;

function tagsAfter(tags: readonly string[], { addTags, removeTags }: TagChange): string[] {
  const removed = new Set(normalTags(removeTags));
  return normalTags([...tags.filter((tag) => !removed.has(tag)), ...addTags]);
}

function leftOut({ id, version }: SeenDocument, error: AppError): ChangedDocument {
  if (error instanceof DocumentNotFound) {
    return { id, title: null, outcome: 'missing', version: null, problem: 'it has been deleted already' };
  }
  if (error instanceof DocumentConflict) {
    const { title, version: now, source } = error.present;
    const by = source === null ? '' : ` by ${JSON.stringify(source)}`;
    const problem = `it has been changed${by} since it was read: it is version ${now} now, not ${version}`;
    return { id, title, outcome: 'outdated', version: now, problem };
  }
  return { id, title: null, outcome: 'failed', version, problem: error.message };
}

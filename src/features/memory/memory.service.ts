import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { storableText } from '#bounded-json';
import type { EntryChange } from '../../platform/events/app-events.js';
import { EventBus } from '../../platform/events/event-bus.service.js';
import type { Page, PageRequest } from '../../platform/paging/page-cursor.js';
import { fuseWithSemantic } from '../semantic/rank-fusion.rules.js';
import { matchesIn } from '../../platform/text/excerpt.rules.js';
import { type Lack, searchedPart } from '../../platform/text/search-lacks.rules.js';
import type { Unindexed } from '../../platform/text/text-index.js';
import { isEmptyQuery, matcherOf, parseTextQuery } from '../../platform/text/text-query.rules.js';
import { normalTags } from '../../platform/text/words.rules.js';
import type { MemoryEntry, MemoryHit, MemoryVersion, NamespaceSize, SavedMemory } from './memory-entry.js';
import { SemanticEntries } from './semantic-entries.service.js';
import { MemoryHistoryStore } from './memory-history.store.js';
import { type KeyQuery, MemoryNameStore, type NameQuery } from './memory-names.store.js';
import { InvalidMemory, MemoryConflict, MemoryNotFound } from './memory.errors.js';
import {
  DEFAULT_IMPORTANCE,
  DEFAULT_NAMESPACE,
  inDays,
  KEY,
  memoryScore,
  namedEntry,
  NAME_RULE,
  NAMESPACE,
  nearnessesOf,
  relevancesOf,
} from './memory.rules.js';
import { cursorOfEntry, MemoryStore, type RankedEntry, type StoredEntry } from './memory.store.js';

export interface MemoryInput {
  namespace?: string | undefined;
  key: string;
  content: string;
  tags?: readonly string[] | undefined;
  importance?: number | undefined;
  expiresInDays?: number | null | undefined; // null = never
  client: string;
  /** Name of the client's program. */
  program?: string | null | undefined;
  /** The version that the caller knows: any other is not replaced. 0 = no entry; undefined = any version. */
  basedOn?: number | undefined;
}

export interface MemoryQuery {
  query: string;
  namespace?: string | undefined;
  /** The entry must have all of them. */
  tags?: readonly string[] | undefined;
  limit: number;
  /** Collects what the results lack. */
  lacks?: Set<Lack> | undefined;
  signal?: AbortSignal | undefined;
}

type Written = Omit<SavedMemory, 'twin'>;

const MAX_PROGRAM = 100;
const KEPT_VERSIONS = 50;
const MOST_CANDIDATES = 200;
const MOST_MEANT = 50;
const INDEXED_AT_ONCE = 200;
const EXPIRED_AT_ONCE = 200;

/** Saves, finds, lists and removes memory entries, under keys in namespaces. */
@Injectable()
export class MemoryService {
  constructor(
    private readonly store: MemoryStore,
    private readonly histories: MemoryHistoryStore,
    private readonly names: MemoryNameStore,
    private readonly meaning: SemanticEntries,
    private readonly events: EventBus,
  ) {}

  /**
   * Saves an entry, and replaces the one under its key.
   * @throws InvalidMemory, MemoryConflict, MemoryNotFound
   */
  async save(input: MemoryInput, now = new Date()): Promise<SavedMemory> {
    const saved = await this.write(input, now);
    return { ...saved, twin: await this.store.findTwin(saved.entry, now) };
  }

  private async write(input: MemoryInput, now: Date): Promise<Written> {
    const entry = newEntry(input, now);
    const before = await this.store.find(entry.namespace, entry.key, now);
    if (before) return this.supersede(before, input, now);
    if (input.basedOn) throw new MemoryNotFound(entry.namespace, entry.key);
    const version = await this.store.create(entry);
    if (version === undefined) {
      // The key is taken by an expired entry, or by a concurrent call.
      await this.deleteExpired(now);
      return this.write(input, now);
    }
    this.changed(entry, 'created');
    return { outcome: 'created', entry: { ...entry, version } };
  }

  /** @throws MemoryNotFound */
  async get(namespace: string, key: string, now = new Date()): Promise<MemoryEntry> {
    const entry = await this.store.find(namespace, key, now);
    if (!entry) throw new MemoryNotFound(namespace, key);
    return entry;
  }

  find(namespace: string, key: string, now = new Date()): Promise<MemoryEntry | undefined> {
    return this.store.find(namespace, key, now);
  }

  /** Returns at most 50 earlier versions of an entry, latest first. @throws MemoryNotFound */
  async history(namespace: string, key: string, now = new Date()): Promise<MemoryVersion[]> {
    const entry = await this.store.find(namespace, key, now);
    if (!entry) throw new MemoryNotFound(namespace, key);
    return this.histories.list(entry.id);
  }

  /** Returns one page of entries, ordered by namespace and key. */
  listByKey(page: PageRequest, now = new Date()): Promise<Page<MemoryEntry>> {
    return this.store.listByKey(page, now);
  }

  /** Returns one page of entries, last changed first. */
  listPage(
    { tag, ...page }: PageRequest & { namespace?: string | undefined; tag?: string | undefined },
    now = new Date(),
  ): Promise<Page<MemoryEntry>> {
    return this.store.listPage({ ...page, tags: tag === undefined ? [] : [tag.toLowerCase()] }, now);
  }

  /**
   * Returns one page of entries that were changed before another one, last changed first.
   * @param before address of that entry; undefined = from the newest
   * @throws InvalidMemory, MemoryNotFound
   */
  async listAfter(
    before: string | undefined,
    { tags = [], ...page }: Omit<MemoryQuery, 'query'>,
  ): Promise<Page<MemoryEntry>> {
    const now = new Date();
    const cursor = before === undefined ? undefined : await this.cursorOf(before, now);
    return this.store.listPage({ ...page, tags: normalTags(tags), cursor }, now);
  }

  private async cursorOf(uri: string, now: Date): Promise<string> {
    const name = namedEntry(uri);
    if (!name) throw new InvalidMemory('before', 'must be the uri of an entry, such as "memory://shared/deploy-day"');
    const entry = await this.store.find(name.namespace, name.key, now);
    if (!entry) throw new MemoryNotFound(name.namespace, name.key);
    return cursorOfEntry(entry);
  }

  /** Returns the namespaces that start with a prefix, in alphabetical order. */
  listNamespaces(query: NameQuery, now = new Date()): Promise<string[]> {
    return this.names.listNamespaces(query, now);
  }

  /** Returns the size of every namespace, ordered by name; includes the default namespace even if it is empty. */
  async listNamespaceSizes(now = new Date()): Promise<NamespaceSize[]> {
    const sizes = await this.names.listNamespaceSizes(now);
    if (!sizes.some(({ namespace }) => namespace === DEFAULT_NAMESPACE)) {
      sizes.push({ namespace: DEFAULT_NAMESPACE, entries: 0 });
    }
    return sizes.sort((a, b) => (a.namespace < b.namespace ? -1 : 1));
  }

  /** Returns the distinct keys that start with a prefix, in alphabetical order. */
  listKeys(query: KeyQuery, now = new Date()): Promise<string[]> {
    return this.names.listKeys(query, now);
  }

  /** Returns the best matches first: by relevance, importance and age. Searches all namespaces when none is given. */
  async search(
    { query: asked, namespace, tags = [], limit, lacks, signal }: MemoryQuery,
    now = new Date(),
  ): Promise<MemoryHit[]> {
    const query = searchedPart(asked, lacks);
    const among = { namespace: namespace ?? null, tags: normalTags(tags) };
    const parsed = parseTextQuery(query);
    const byMeaning = !isEmptyQuery(parsed) && parsed.phrases.length === 0; // a quoted phrase asks for exact words
    const [matches, meant] = await Promise.all([
      this.store.search({ query: parsed, ...among, limit: MOST_CANDIDATES, signal }, now),
      byMeaning ? this.meaning.find({ query, ...among, limit: MOST_MEANT, lacks }, now) : [],
    ]);
    const relevances = { worded: relevancesOf(matches), meant: nearnessesOf(meant) };
    const hasAllWords = matches.some(({ has }) => has === 'all');
    const best = (await this.fused(relevances, hasAllWords, now)).slice(0, limit);
    const entries = new Map((await this.store.listByIds(best.map(({ id }) => id))).map((entry) => [entry.id, entry]));
    const hits: MemoryHit[] = [];
    for (const { id, score } of best) {
      const found = entries.get(id);
      if (!found) continue; // removed in the meantime
      const { id: _id, language, ...entry } = found;
      hits.push({ entry, matches: matchesIn(entry.content, matcherOf(parsed, language)), score });
      await nextTurn();
    }
    return hits;
  }

  /** Scores the entries by each kind of relevance, and merges the two rankings. */
  private async fused(
    { worded, meant }: Record<'worded' | 'meant', Relevances>,
    hasAllWords: boolean,
    now: Date,
  ): Promise<Scored[]> {
    const entries = await this.store.listForRanking([...new Set([...worded.keys(), ...meant.keys()])]);
    const [byWords, byMeaning] = [scored(entries, worded, now), scored(entries, meant, now)];
    const scores = new Map([...byMeaning, ...byWords].map(({ id, score }) => [id, score]));
    const idsOf = (ranking: readonly Scored[]) => ranking.map(({ id }) => id);
    return fuseWithSemantic(idsOf(byWords), idsOf(byMeaning), hasAllWords).map((id) => ({
      id,
      score: scores.get(id) ?? 0,
    }));
  }

  /**
   * Removes an entry and its history.
   * @param basedOn the version that the caller knows; any other is not removed
   * @throws MemoryNotFound, MemoryConflict
   */
  async remove(namespace: string, key: string, basedOn?: number): Promise<void> {
    if (basedOn !== undefined) assertBasedOn(await this.get(namespace, key), basedOn);
    if (!(await this.store.delete(namespace, key, basedOn))) {
      if (basedOn === undefined) throw new MemoryNotFound(namespace, key);
      return this.remove(namespace, key, basedOn); // another call has changed or removed it in the meantime
    }
    this.changed({ namespace, key }, 'removed');
  }

  /** Deletes expired entries, and sends their events. */
  async deleteExpired(now: Date): Promise<void> {
    for (;;) {
      const expired = await this.store.deleteExpired(now, EXPIRED_AT_ONCE);
      for (const entry of expired) this.changed(entry, 'removed');
      if (expired.length < EXPIRED_AT_ONCE) return;
      await nextTurn();
    }
  }

  /** Indexes entries from an import of the whole database, or from an earlier version. */
  async indexMissing(): Promise<void> {
    for (let after: number | null = 0; after !== null;) {
      const { ids, next }: Unindexed = await this.store.listUnindexed(after);
      while (ids.length > 0) await this.store.indexMissing(ids.splice(0, INDEXED_AT_ONCE));
      after = next;
    }
  }

  private async supersede(before: StoredEntry, input: MemoryInput, now: Date): Promise<Written> {
    const { id: _id, ...kept } = before;
    const given = newEntry(
      { ...input, importance: input.importance ?? before.importance, tags: input.tags ?? before.tags },
      now,
    );
    const expiresAt = input.expiresInDays === undefined ? before.expiresAt : given.expiresAt;
    const entry = { ...given, expiresAt, version: before.version + 1, createdAt: before.createdAt };
    if (isSameContent(before, entry)) return { outcome: 'unchanged', entry: kept };
    assertBasedOn(kept, input.basedOn);
    if (!(await this.store.supersede(before, entry, KEPT_VERSIONS))) return this.write(input, now);
    this.changed(entry, 'updated', listedAs(before) !== listedAs(entry));
    return { outcome: 'updated', entry };
  }

  private changed({ namespace, key }: Pick<MemoryEntry, 'namespace' | 'key'>, change: EntryChange, relisted = false) {
    this.events.emit('memory.changed', { namespace, key, change, ...(relisted && { relisted }) });
  }
}

function newEntry(input: MemoryInput, now: Date): MemoryEntry {
  const {
    namespace = DEFAULT_NAMESPACE,
    key,
    tags = [],
    importance = DEFAULT_IMPORTANCE,
    expiresInDays,
    client,
    program = null,
  } = input;
  const content = storableText(input.content).trim();
  if (!NAMESPACE.test(namespace)) throw new InvalidMemory('namespace', NAME_RULE);
  if (!KEY.test(key)) throw new InvalidMemory('key', NAME_RULE);
  if (content === '') throw new InvalidMemory('content', 'must not be empty');
  return {
    namespace,
    key,
    content,
    tags: normalTags(tags),
    importance,
    client,
    program: program && storableText(program).slice(0, MAX_PROGRAM).toWellFormed(),
    version: 1,
    createdAt: now,
    updatedAt: now,
    expiresAt: expiresInDays === undefined || expiresInDays === null ? null : inDays(now, expiresInDays),
  };
}

function assertBasedOn(present: MemoryEntry, basedOn: number | undefined): void {
  if (basedOn !== undefined && basedOn !== present.version) throw new MemoryConflict(present, basedOn);
}

const listedAs = ({ importance, tags }: MemoryEntry): string => JSON.stringify([importance, tags]);

function isSameContent(a: MemoryEntry, b: MemoryEntry): boolean {
  return (
    a.content === b.content &&
    a.importance === b.importance &&
    a.expiresAt?.getTime() === b.expiresAt?.getTime() &&
    JSON.stringify(a.tags) === JSON.stringify(b.tags)
  );
}

/** Keyed by the ids of entries, from 0 to 1. */
type Relevances = ReadonlyMap<number, number>;

interface Scored {
  id: number;
  score: number;
}

/** Scores the entries that have a relevance and sorts them, best first. */
function scored(entries: readonly RankedEntry[], relevances: Relevances, now: Date): Scored[] {
  return entries
    .filter(({ id }) => relevances.has(id))
    .map((entry) => ({ ...entry, score: memoryScore(relevances.get(entry.id) ?? 0, entry, now) }))
    .sort((a, b) => b.score - a.score || compareKeys(a, b));
}

type Named = Pick<MemoryEntry, 'namespace' | 'key'>;
const compareKeys = (a: Named, b: Named): number => (memoryUriOrder(a) < memoryUriOrder(b) ? -1 : 1);
const memoryUriOrder = ({ namespace, key }: Named): string => `${namespace}/${key}`;

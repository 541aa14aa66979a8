import type { FeedItem } from '../feeds/store/feed.js';
import { itemUri } from '../feeds/store/feed.js';
import type { FeedsService } from '../feeds/feeds.service.js';
import type { Document } from '../knowledge/documents/document.js';
import { documentAddress } from '../knowledge/documents/address.rules.js';
import { documentUri, URI_PREFIX } from '../knowledge/documents/document.rules.js';
import type { KnowledgeService } from '../knowledge/knowledge.service.js';
import type { MemoryEntry } from '../memory/memory-entry.js';
import { memoryUri, namedEntry } from '../memory/memory.rules.js';
import type { MemoryService } from '../memory/memory.service.js';
import type { SearchedStore } from './searched-store.js';

export const knowledgeStore = (knowledge: KnowledgeService): SearchedStore => ({
  search: async (query) => (await knowledge.search(query)).map(({ document }) => documentEntry(document)),
  find: async (uri) => {
    const document = uri.startsWith(URI_PREFIX) ? await knowledge.find(documentAddress(uri).id) : undefined;
    if (!document) return null;
    const { version, tags, updatedAt } = document;
    const metadata = { store: 'knowledge', version: String(version), ...changedAt(updatedAt), ...tagged(tags) };
    return { ...documentEntry(document), metadata };
  },
});

export const memoryStore = (memory: MemoryService): SearchedStore => ({
  search: async (query) => (await memory.search(query)).map(({ entry }) => memoryEntry(entry)),
  find: async (uri) => {
    const name = namedEntry(uri);
    const entry = name && (await memory.find(name.namespace, name.key));
    if (!entry) return null;
    const { version, tags, updatedAt } = entry;
    const metadata = { store: 'memory', version: String(version), ...changedAt(updatedAt), ...tagged(tags) };
    return { ...memoryEntry(entry), metadata };
  },
});

/** Limit of the tool feed_items for a query. */
const LONGEST_FEED_QUERY = 200;
const ITEM = /^rss:\/\/([^/]+)\/([^/]+)$/;

export const feedStore = (feeds: FeedsService): SearchedStore => ({
  search: async ({ query, limit }) => {
    const { items } = await feeds.listItems({ query: query.slice(0, LONGEST_FEED_QUERY).toWellFormed(), limit });
    return items.map(itemEntry);
  },
  find: async (uri) => {
    const [, feed, id] = ITEM.exec(uri) ?? [];
    const item = feed === undefined || id === undefined ? undefined : await feeds.findItem(feed, id);
    if (!item) return null;
    const metadata = { store: 'feeds', feed: item.feedId, ...changedAt(item.sortedAt), ...tagged(item.categories) };
    return { ...itemEntry(item), metadata };
  },
});

const documentEntry = ({ id, title }: Pick<Document, 'id' | 'title'>) => ({
  uri: documentUri(id),
  title,
  page: `/admin/knowledge/${encodeURIComponent(id)}`,
});

const memoryEntry = ({ namespace, key }: Pick<MemoryEntry, 'namespace' | 'key'>) => ({
  uri: memoryUri({ namespace, key }),
  title: `${namespace}/${key}`,
  page: `/admin/memory/${namespace}/${key}`,
});

const itemEntry = ({ feedId, id, title, url }: FeedItem) => ({
  uri: itemUri(feedId, id),
  title,
  page: url ?? `/admin/feed-items/${feedId}/${id}`,
});

const changedAt = (at: Date) => ({ updated: at.toISOString() });
const tagged = (tags: readonly string[]) => (tags.length === 0 ? {} : { tags: tags.join(', ') });

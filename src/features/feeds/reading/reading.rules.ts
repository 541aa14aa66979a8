import { searchTextOf } from '../store/feed-search.rules.js';
import type { FeedItem } from '../store/feed.js';
import { decodeDocument } from './charset.rules.js';
import { toLine, toMarkdown, toSummary } from './content.rules.js';
import { discoverFeeds, isHtml } from './discovery.rules.js';
import type { FeedDocument } from './document.js';
import { type IdentifiedItem, identifyItems } from './identity.rules.js';
import { parseFeedDocument } from './parser.rules.js';

/** A year. */
const LONGEST_INTERVAL_MINUTES = 525_600;

export interface DocumentSource {
  bytes: Uint8Array;
  contentType: string | undefined;
  url: string;
  /** The known revisions of the feed's items, by id; an unchanged item is not converted again. */
  revisions: ReadonlyMap<string, string>;
}

export type DocumentReading =
  | { kind: 'document'; document: ReadDocument }
  /** A web page, and the feeds that it announces. */
  | { kind: 'page'; feedUrls: string[] }
  | { kind: 'unknown'; description: string };

/** A feed document, ready to be stored. */
export interface ReadDocument extends Omit<FeedDocument, 'items'> {
  /** Ids of all its items, including the unchanged ones. */
  itemIds: string[];
  /** The new and the rewritten items. */
  items: ReadItem[];
}

export interface ReadItem extends Omit<FeedItem, 'feedId' | 'firstSeenAt' | 'sortedAt'> {
  position: number;
  isNew: boolean;
  /** The folded text for searches. */
  search: string;
}

/** Reads an untrusted document: it may be of any kind, damaged, or malicious. */
export function readDocument({ bytes, contentType, url, revisions }: DocumentSource): DocumentReading {
  const text = decodeDocument(bytes, contentType);
  const document = parseFeedDocument(text, url);
  if (document) return { kind: 'document', document: toReadDocument(document, url, revisions) };
  if (isHtml(text)) return { kind: 'page', feedUrls: discoverFeeds(text, url) };
  return { kind: 'unknown', description: describeText(text, contentType) };
}

function toReadDocument(document: FeedDocument, url: string, revisions: DocumentSource['revisions']): ReadDocument {
  const found = identifyItems(document);
  return {
    ...document,
    title: toLine(document.title),
    description: toLine(document.description),
    intervalMinutes: wholeMinutes(document.intervalMinutes),
    itemIds: found.map(({ id }) => id),
    items: found.flatMap((item, position) => {
      const known = revisions.get(item.id);
      if (known === item.revision) return [];
      return { ...toReadItem(item, document.siteUrl ?? url), position, isNew: known === undefined };
    }),
  };
}

/** Databases store whole numbers, and publishers declare anything. */
const wholeMinutes = (minutes: number | null): number | null =>
  minutes === null ? null : Math.min(Math.ceil(minutes), LONGEST_INTERVAL_MINUTES);

function toReadItem(item: IdentifiedItem, base: string): Omit<ReadItem, 'position' | 'isNew'> {
  const summary = toSummary(item);
  const read = {
    id: item.id,
    revision: item.revision,
    url: item.url,
    title: toLine(item.title) ?? (summary.slice(0, 80).toWellFormed() || item.url || 'Untitled'),
    author: toLine(item.author),
    publishedAt: item.publishedAt,
    content: toMarkdown(item, base),
    summary,
    categories: item.categories.flatMap((category) => toLine(category) ?? []),
  };
  return { ...read, search: searchTextOf(read) };
}

function describeText(text: string, contentType = 'something without a content type'): string {
  return text.trim() === '' ? 'an empty document' : contentType.slice(0, 100);
}

import { decodeDocument } from './feed-charset.rules.js';
import { toLine, toMarkdown, toSummary } from './feed-content.rules.js';
import { discoverFeeds, isHtml } from './feed-discovery.rules.js';
import type { FeedDocument } from './feed-document.js';
import { type IdentifiedItem, identifyItems } from './feed-identity.rules.js';
import { parseFeedDocument } from './feed-parser.rules.js';
import type { FeedItem } from './feed.js';

/** The bytes that a server sent. */
export interface FeedBytes {
  bytes: Uint8Array;
  /** The Content-Type header. */
  contentType: string | undefined;
  /** Where they came from: what relative URLs are relative to. */
  url: string;
}

/** A feed as it is kept: every text is a line of plain text or Markdown, and safe. */
export interface ReadFeed extends Pick<FeedDocument, 'siteUrl' | 'intervalMinutes' | 'isComplete'> {
  title: string | null;
  description: string | null;
  items: ReadItem[];
}

export type ReadItem = Omit<FeedItem, 'feedId' | 'firstSeenAt' | 'sortedAt'>;

/** What is in the bytes: a feed, a web page and the feeds that it announces, or neither. */
export type ReadBytes =
  { kind: 'feed'; feed: ReadFeed } | { kind: 'page'; feedUrls: string[] } | { kind: 'neither'; error: string };

/** Whoever publishes a feed decides how long this takes: it runs in a thread of its own. */
export function readFeed({ bytes, contentType, url }: FeedBytes): ReadBytes {
  const text = decodeDocument(bytes, contentType);
  const document = parseFeedDocument(text, url);
  if (document) return { kind: 'feed', feed: toReadFeed(document, url) };
  if (isHtml(text)) return { kind: 'page', feedUrls: discoverFeeds(text, url) };
  return { kind: 'neither', error: `it is not RSS, Atom or JSON Feed, but ${describeText(text, contentType)}` };
}

function toReadFeed(document: FeedDocument, url: string): ReadFeed {
  const { siteUrl, intervalMinutes, isComplete } = document;
  return {
    title: toLine(document.title),
    description: toLine(document.description),
    siteUrl,
    intervalMinutes,
    isComplete,
    items: identifyItems(document).map((item) => toReadItem(item, siteUrl ?? url)),
  };
}

function toReadItem(item: IdentifiedItem, base: string): ReadItem {
  const { id, revision, url, publishedAt } = item;
  const summary = toSummary(item);
  return {
    id,
    revision,
    url,
    title: toLine(item.title) ?? (summary.slice(0, 80).toWellFormed() || url || 'Untitled'),
    author: toLine(item.author),
    publishedAt,
    content: toMarkdown(item, base),
    summary,
    categories: item.categories.flatMap((category) => toLine(category) ?? []),
  };
}

function describeText(text: string, contentType = 'something without a content type'): string {
  return text.trim() === '' ? 'an empty document' : contentType.slice(0, 100);
}

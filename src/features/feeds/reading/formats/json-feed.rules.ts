import type { JsonFeed } from 'feedsmith';
import type { DocumentContent, DocumentItem } from '../document.js';
import {
  documentOrder,
  firstTime,
  type FormatDocument,
  type TimeTexts,
  toAttachments,
  toCategories,
  toHtml,
  toHttpUrl,
} from './format.rules.js';

/** Converts a JSON Feed of version 1 or 1.1. */
export function fromJsonFeed(feed: JsonFeed.Feed<string>, url: string): FormatDocument {
  const siteUrl = toHttpUrl(feed.home_page_url, url);
  const items = feed.items ?? [];
  const order = documentOrder(items.flatMap(timesOf), feed.language);
  const feedAuthor = feed.authors?.[0]?.name ?? null;
  return {
    title: feed.title ?? null,
    description: feed.description ?? null,
    siteUrl,
    intervalMinutes: null,
    items: items.map((item) => ({
      ...toItem(item, siteUrl ?? url, feedAuthor),
      publishedAt: firstTime(timesOf(item), order),
    })),
  };
}

const timesOf = (item: JsonFeed.Item<string>): TimeTexts => [item.date_published, item.date_modified];

function toItem(
  item: JsonFeed.Item<string>,
  base: string,
  feedAuthor: string | null,
): Omit<DocumentItem, 'publishedAt'> {
  const attachments = (item.attachments ?? []).map(({ url, mime_type: type }) => ({
    ...(url && { url }),
    ...(type && { type }),
  }));
  return {
    guid: item.id ?? null,
    url: toHttpUrl(item.url, base) ?? toHttpUrl(item.external_url, base) ?? toHttpUrl(item.id, null),
    title: item.title ?? null,
    author: item.authors?.[0]?.name ?? feedAuthor,
    content: toHtml(item.content_html) ?? toText(item.content_text) ?? toText(item.summary),
    categories: toCategories(item.tags ?? []),
    attachments: toAttachments(attachments, base),
  };
}

const toText = (text: string | undefined): DocumentContent | null =>
  text === undefined ? null : { text, isHtml: false };

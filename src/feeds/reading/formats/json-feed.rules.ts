import type { JsonFeed } from 'feedsmith';
import type { DocumentContent, DocumentItem } from '../document.js';
import { firstTime, type FormatDocument, toAttachments, toCategories, toHtml, toHttpUrl } from './format.rules.js';

/** Converts a JSON Feed of version 1 or 1.1. */
export function fromJsonFeed(feed: JsonFeed.Feed<string>, url: string): FormatDocument {
  const siteUrl = toHttpUrl(feed.home_page_url, url);
  const feedAuthor = feed.authors?.[0]?.name ?? null;
  return {
    title: feed.title ?? null,
    description: feed.description ?? null,
    siteUrl,
    intervalMinutes: null,
    items: (feed.items ?? []).map((item) => toItem(item, siteUrl ?? url, feedAuthor)),
  };
}

function toItem(item: JsonFeed.Item<string>, base: string, feedAuthor: string | null): DocumentItem {
  const attachments = (item.attachments ?? []).map(({ url, mime_type: type }) => ({
    ...(url && { url }),
    ...(type && { type }),
  }));
  return {
    guid: item.id ?? null,
    url: toHttpUrl(item.url, base) ?? toHttpUrl(item.external_url, base) ?? toHttpUrl(item.id, null),
    title: item.title ?? null,
    author: item.authors?.[0]?.name ?? feedAuthor,
    publishedAt: firstTime(item.date_published, item.date_modified),
    content: toHtml(item.content_html) ?? toText(item.content_text) ?? toText(item.summary),
    categories: toCategories(item.tags ?? []),
    attachments: toAttachments(attachments, base),
  };
}

const toText = (text: string | undefined): DocumentContent | null =>
  text === undefined ? null : { text, isHtml: false };

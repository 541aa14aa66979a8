import type { RdfFeed } from 'feedsmith';
import type { DocumentItem } from '../document.js';
import { firstTime, type FormatDocument, toCategories, toHtml, toHttpUrl, updateMinutes } from './format.rules.js';

/** Converts a feed of RSS 0.90 or 1.0. */
export function fromRdf(feed: RdfFeed.Feed<string>, url: string): FormatDocument {
  const siteUrl = toHttpUrl(feed.link, url);
  return {
    title: feed.title ?? null,
    description: feed.description ?? null,
    siteUrl,
    intervalMinutes: updateMinutes(feed.sy),
    items: (feed.items ?? []).map((item) => toItem(item, siteUrl ?? url)),
  };
}

function toItem(item: RdfFeed.Item<string>, base: string): DocumentItem {
  return {
    guid: item.rdf?.about ?? null,
    url: toHttpUrl(item.link, base) ?? toHttpUrl(item.rdf?.about, base),
    title: item.title ?? null,
    author: item.dc?.creators?.[0] ?? null,
    publishedAt: firstTime(item.dc?.dates?.[0], item.dcterms?.modified?.[0], item.dcterms?.created?.[0]),
    content: toHtml(item.content?.encoded ?? item.description),
    categories: toCategories(item.dc?.subjects ?? []),
    attachments: [],
  };
}

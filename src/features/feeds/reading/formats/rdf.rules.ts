import type { RdfFeed } from 'feedsmith';
import type { DocumentItem } from '../document.js';
import {
  documentOrder,
  firstTime,
  type FormatDocument,
  type TimeTexts,
  toCategories,
  toHtml,
  toHttpUrl,
  updateMinutes,
} from './format.rules.js';

/** Converts a feed of RSS 0.90 or 1.0. */
export function fromRdf(feed: RdfFeed.Feed<string>, url: string): FormatDocument {
  const siteUrl = toHttpUrl(feed.link, url);
  const items = feed.items ?? [];
  const order = documentOrder(items.flatMap(timesOf), feed.dc?.languages?.[0]);
  return {
    title: feed.title ?? null,
    description: feed.description ?? null,
    siteUrl,
    intervalMinutes: updateMinutes(feed.sy),
    items: items.map((item) => ({
      ...toItem(item, siteUrl ?? url),
      publishedAt: firstTime(timesOf(item), order),
    })),
  };
}

const timesOf = ({ dc, dcterms }: RdfFeed.Item<string>): TimeTexts => [
  dc?.dates?.[0],
  dcterms?.issued?.[0],
  dcterms?.created?.[0],
  dcterms?.modified?.[0],
];

function toItem(item: RdfFeed.Item<string>, base: string): Omit<DocumentItem, 'publishedAt'> {
  return {
    guid: item.rdf?.about ?? null,
    url: toHttpUrl(item.link, base) ?? toHttpUrl(item.rdf?.about, base),
    title: item.title ?? item.dc?.titles?.[0] ?? item.dcterms?.titles?.[0] ?? null,
    author: item.dc?.creators?.[0] ?? item.dcterms?.creators?.[0] ?? null,
    content: toHtml(
      item.content?.encoded ??
        item.description ??
        item.dc?.descriptions?.[0] ??
        item.dcterms?.abstracts?.[0] ??
        item.dcterms?.descriptions?.[0],
    ),
    categories: toCategories([...(item.dc?.subjects ?? []), ...(item.dcterms?.subjects ?? [])]),
    attachments: [],
  };
}

import type { RssFeed } from 'feedsmith';
import type { DocumentItem } from '../document.js';
import {
  documentOrder,
  firstTime,
  type FormatDocument,
  pageOf,
  type TimeTexts,
  toAttachments,
  toCategories,
  toHtml,
  toHttpUrl,
  updateMinutes,
} from './format.rules.js';

/** Converts a feed of RSS 0.91 to 0.94 or 2.0. */
export function fromRss(feed: RssFeed.Feed<string>, url: string): FormatDocument {
  const siteUrl = toHttpUrl(feed.link, url);
  const items = feed.items ?? [];
  const order = documentOrder(items.flatMap(timesOf), feed.language ?? feed.dc?.languages?.[0]);
  return {
    title: feed.title ?? feed.dc?.titles?.[0] ?? null,
    description: feed.description ?? feed.itunes?.summary ?? null,
    siteUrl,
    intervalMinutes: feed.ttl && feed.ttl > 0 ? feed.ttl : updateMinutes(feed.sy),
    items: items.map((item) => ({
      ...toItem(item, siteUrl ?? url),
      publishedAt: firstTime(timesOf(item), order),
    })),
  };
}

const timesOf = ({ pubDate, dc, dcterms, prism, atom }: RssFeed.Item<string>): TimeTexts => [
  pubDate,
  dc?.dates?.[0],
  dcterms?.issued?.[0],
  dcterms?.created?.[0],
  prism?.publicationDates?.[0],
  atom?.published,
  atom?.updated,
  dcterms?.modified?.[0],
];

function toItem(item: RssFeed.Item<string>, base: string): Omit<DocumentItem, 'publishedAt'> {
  const guid = item.guid?.value ?? null;
  const permalink = guid !== null && item.guid?.isPermaLink !== false && /^https?:/i.test(guid) ? guid : undefined;
  const [person] = item.authors ?? [];
  return {
    guid,
    url: toHttpUrl(item.link, base) ?? toHttpUrl(pageOf(item.atom?.links), base) ?? toHttpUrl(permalink, base),
    title: item.title ?? item.dc?.titles?.[0] ?? item.dcterms?.titles?.[0] ?? item.itunes?.title ?? null,
    author:
      person?.name ??
      item.dc?.creators?.[0] ??
      item.dcterms?.creators?.[0] ??
      item.itunes?.author ??
      person?.email ??
      null,
    content: toHtml(textOf(item)),
    categories: toCategories([
      ...(item.categories ?? []).map(({ name }) => name),
      ...(item.dc?.subjects ?? []),
      ...(item.dcterms?.subjects ?? []),
    ]),
    attachments: toAttachments(item.enclosures ?? [], base),
  };
}

function textOf({ content, description, itunes, media, dc, dcterms }: RssFeed.Item<string>): string | undefined {
  const ofModules = dc?.descriptions?.[0] ?? dcterms?.abstracts?.[0] ?? dcterms?.descriptions?.[0];
  return content?.encoded ?? description ?? itunes?.summary ?? media?.description?.value ?? ofModules;
}

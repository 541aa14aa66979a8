import type { RssFeed } from 'feedsmith';
import type { DocumentItem } from '../document.js';
import {
  firstTime,
  type FormatDocument,
  toAttachments,
  toCategories,
  toHtml,
  toHttpUrl,
  updateMinutes,
} from './format.rules.js';

/** Converts a feed of RSS 0.91 to 0.94 or 2.0. */
export function fromRss(feed: RssFeed.Feed<string>, url: string): FormatDocument {
  const siteUrl = toHttpUrl(feed.link, url);
  return {
    title: feed.title ?? feed.dc?.titles?.[0] ?? null,
    description: feed.description ?? feed.itunes?.summary ?? null,
    siteUrl,
    intervalMinutes: feed.ttl && feed.ttl > 0 ? feed.ttl : updateMinutes(feed.sy),
    items: (feed.items ?? []).map((item) => toItem(item, siteUrl ?? url)),
  };
}

function toItem(item: RssFeed.Item<string>, base: string): DocumentItem {
  const guid = item.guid?.value ?? null;
  const permalink = guid !== null && item.guid?.isPermaLink !== false && /^https?:/i.test(guid) ? guid : undefined;
  const [person] = item.authors ?? [];
  return {
    guid,
    url: toHttpUrl(item.link, base) ?? toHttpUrl(item.atom?.links?.[0]?.href, base) ?? toHttpUrl(permalink, base),
    title: item.title ?? item.dc?.titles?.[0] ?? item.itunes?.title ?? null,
    author: person?.name ?? item.dc?.creators?.[0] ?? item.itunes?.author ?? person?.email ?? null,
    publishedAt: firstTime(item.pubDate, item.dc?.dates?.[0], item.atom?.published, item.atom?.updated),
    content: toHtml(
      item.content?.encoded ?? item.description ?? item.itunes?.summary ?? item.media?.description?.value,
    ),
    categories: toCategories([...(item.categories ?? []).map(({ name }) => name), ...(item.dc?.subjects ?? [])]),
    attachments: toAttachments(item.enclosures ?? [], base),
  };
}

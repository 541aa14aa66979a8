import type { AtomFeed } from 'feedsmith';
import type { DocumentContent, DocumentItem } from '../document.js';
import {
  firstTime,
  type FormatDocument,
  toAttachments,
  toCategories,
  toHttpUrl,
  updateMinutes,
} from './format.rules.js';

type Link = NonNullable<AtomFeed.Entry<string>['links']>[number];

/** Converts a feed of Atom 0.3 or 1.0. */
export function fromAtom(feed: AtomFeed.Feed<string>, url: string): FormatDocument {
  const base = toHttpUrl(feed.xml?.base, url) ?? url;
  const siteUrl = toHttpUrl(alternateOf(feed.links), base);
  const feedAuthor = nameOf(feed.authors);
  return {
    title: textOf(feed.title),
    description: textOf(feed.subtitle),
    siteUrl,
    intervalMinutes: updateMinutes(feed.sy),
    items: (feed.entries ?? []).map((entry) => toItem(entry, toHttpUrl(entry.xml?.base, base) ?? base, feedAuthor)),
  };
}

function toItem(entry: AtomFeed.Entry<string>, base: string, feedAuthor: string | null): DocumentItem {
  const enclosures = (entry.links ?? []).filter(({ rel }) => rel === 'enclosure');
  return {
    guid: entry.id ?? null,
    url: toHttpUrl(alternateOf(entry.links), base) ?? toHttpUrl(entry.id, null),
    title: textOf(entry.title),
    author: nameOf(entry.authors) ?? nameOf(entry.source?.authors) ?? entry.dc?.creators?.[0] ?? feedAuthor,
    publishedAt: firstTime(entry.published, entry.updated, entry.dc?.dates?.[0]),
    content: contentOf(entry),
    categories: toCategories((entry.categories ?? []).map(({ label, term }) => label ?? term)),
    attachments: toAttachments(
      enclosures.map(({ href, type }) => ({ ...(href && { url: href }), ...(type && { type }) })),
      base,
    ),
  };
}

function contentOf({ content, summary, media }: AtomFeed.Entry<string>): DocumentContent | null {
  return (
    toContent(content?.value, content?.type) ??
    toContent(summary?.value, summary?.type) ??
    toContent(media?.groups?.[0]?.description?.value, 'text')
  );
}

// Without a type, it is plain text according to the specification, but often HTML in practice.
function toContent(text: string | undefined, type: string | undefined): DocumentContent | null {
  if (text === undefined) return null;
  if (type === undefined) return { text, isHtml: /<\/?[a-z][^<>]*>|&[a-z#]\w*;/i.test(text) };
  return { text, isHtml: !/^text(\/plain)?$/i.test(type.trim()) };
}

/** Returns the text as HTML: in a text declared as plain, markup is escaped so that it stays visible. */
function textOf(text: AtomFeed.Text | undefined): string | null {
  if (text?.value === undefined) return null;
  return text.type === 'text' ? text.value.replaceAll('&', '&amp;').replaceAll('<', '&lt;') : text.value;
}

function alternateOf(links: Link[] = []): string | undefined {
  const alternates = links.filter(({ rel = 'alternate' }) => rel === 'alternate');
  const page = alternates.find(({ type = 'text/html' }) => /html/i.test(type));
  return (page ?? alternates[0])?.href;
}

function nameOf(people: AtomFeed.Person[] = []): string | null {
  return people[0]?.name ?? people[0]?.email ?? null;
}

import type { AtomFeed } from 'feedsmith';
import { hasMarkup } from '../markup.rules.js';
import type { DocumentContent, DocumentItem } from '../document.js';
import {
  documentOrder,
  firstTime,
  type FormatDocument,
  pageOf,
  type TimeTexts,
  toAttachments,
  toCategories,
  toHttpUrl,
  updateMinutes,
} from './format.rules.js';

/** Converts a feed of Atom 0.3 or 1.0. */
export function fromAtom(feed: AtomFeed.Feed<string>, url: string): FormatDocument {
  const base = toHttpUrl(feed.xml?.base, url) ?? url;
  const siteUrl = toHttpUrl(pageOf(feed.links), base);
  const entries = feed.entries ?? [];
  const order = documentOrder(entries.flatMap(timesOf), feed.xml?.lang);
  const feedAuthor = nameOf(feed.authors);
  return {
    title: textOf(feed.title),
    description: textOf(feed.subtitle),
    siteUrl,
    intervalMinutes: updateMinutes(feed.sy),
    items: entries.map((entry) => ({
      ...toItem(entry, toHttpUrl(entry.xml?.base, base) ?? base),
      author: authorOf(entry) ?? feedAuthor,
      publishedAt: firstTime(timesOf(entry), order),
    })),
  };
}

const timesOf = ({ published, updated, dc, dcterms }: AtomFeed.Entry<string>): TimeTexts => [
  published,
  dcterms?.issued?.[0],
  dcterms?.created?.[0],
  updated,
  dc?.dates?.[0],
  dcterms?.modified?.[0],
];

function toItem(entry: AtomFeed.Entry<string>, base: string): Omit<DocumentItem, 'author' | 'publishedAt'> {
  const enclosures = (entry.links ?? []).filter(({ rel }) => rel === 'enclosure');
  return {
    guid: entry.id ?? null,
    url: toHttpUrl(pageOf(entry.links), base) ?? toHttpUrl(entry.id, null),
    title: textOf(entry.title),
    content: contentOf(entry),
    categories: toCategories((entry.categories ?? []).map(({ label, term }) => label ?? term)),
    attachments: toAttachments(
      enclosures.map(({ href, type }) => ({ ...(href && { url: href }), ...(type && { type }) })),
      base,
    ),
  };
}

function authorOf({ authors, source, dc, dcterms }: AtomFeed.Entry<string>): string | null {
  return nameOf(authors) ?? nameOf(source?.authors) ?? dc?.creators?.[0] ?? dcterms?.creators?.[0] ?? null;
}

function contentOf({ content, summary, media, dc, dcterms }: AtomFeed.Entry<string>): DocumentContent | null {
  return (
    toContent(content?.value, content?.type) ??
    toContent(summary?.value, summary?.type) ??
    toContent(media?.groups?.[0]?.description?.value, 'text') ??
    toContent(dc?.descriptions?.[0] ?? dcterms?.abstracts?.[0] ?? dcterms?.descriptions?.[0], undefined)
  );
}

// Without a type, it is plain text by the specification, but often HTML in practice.
function toContent(text: string | undefined, type: string | undefined): DocumentContent | null {
  if (text === undefined) return null;
  if (type === undefined) return { text, isHtml: hasMarkup(text) };
  return { text, isHtml: !/^text(\/plain)?$/i.test(type.trim()) };
}

/** Returns the text as HTML: plain text, the default, is escaped so that all of it stays visible. */
function textOf(text: AtomFeed.Text | undefined): string | null {
  if (text?.value === undefined) return null;
  const isPlain = /^\s*(?:text(?:\/plain)?)?\s*$/i.test(text.type ?? '');
  return isPlain ? text.value.replaceAll('&', '&amp;').replaceAll('<', '&lt;') : text.value;
}

function nameOf(people: AtomFeed.Person[] = []): string | null {
  return people[0]?.name ?? people[0]?.email ?? null;
}

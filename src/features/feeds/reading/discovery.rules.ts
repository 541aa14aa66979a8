import sanitizeHtml from 'sanitize-html';
import { toHttpUrl } from './formats/format.rules.js';

const FEED_TYPE = /^(application|text)\/(rss|atom|rdf)\+xml$|^application\/feed\+json$/i;
/** Matches the feeds of comments that pages also announce; they are listed last. */
const COMMENTS = /comment|kommentar|commentaire/i;
/** Only the beginning of a page is read: links to feeds are in its head. */
const HEAD_CHARACTERS = 100_000;

export const isHtml = (text: string): boolean =>
  /<html[\s>]|<!doctype\s+html|<head[\s>]|<body[\s>]/i.test(text.slice(0, 5000));

/** Returns the URLs of the feeds that an HTML page announces, most likely first. */
export function discoverFeeds(html: string, pageUrl: string): string[] {
  const links: sanitizeHtml.Attributes[] = [];
  const base: { href: string | undefined } = { href: undefined };
  sanitizeHtml(html.slice(0, HEAD_CHARACTERS), {
    allowedTags: [],
    transformTags: {
      link: (tagName, attribs) => {
        links.push(attribs);
        return { tagName, attribs };
      },
      base: (tagName, attribs) => {
        base.href ??= attribs['href'];
        return { tagName, attribs };
      },
    },
  });
  const baseUrl = toHttpUrl(base.href, pageUrl) ?? pageUrl;
  const announced = links
    .filter(isFeedLink)
    .sort((one, other) => Number(isOfComments(one)) - Number(isOfComments(other)));
  // Two fragments of an address are one feed.
  return [...new Set(announced.flatMap(({ href }) => toHttpUrl(href, baseUrl)?.replace(/#.*$/, '') ?? []))];
}

function isFeedLink({ rel = '', type = '' }: sanitizeHtml.Attributes): boolean {
  return /(^|\s)alternate(\s|$)/i.test(rel) && FEED_TYPE.test(type.trim());
}

const isOfComments = ({ title = '', href = '' }: sanitizeHtml.Attributes): boolean =>
  COMMENTS.test(title) || COMMENTS.test(href);

import type { SyNs } from 'feedsmith';
import type { Attachment, DocumentContent, FeedDocument } from '../document.js';
import { parseFeedTime } from '../time.rules.js';
import { certainOrder, type DateOrder, usualOrder } from '../times/date-order.rules.js';

/** The part of a document that the rules of a format provide; the parser decides whether it was complete. */
export type FormatDocument = Omit<FeedDocument, 'isComplete'>;

const ALTERNATE = /^\s*(?:http:\/\/www\.iana\.org\/assignments\/relation\/)?alternate\s*$/i;
const MAX_CATEGORIES = 30;
const MAX_ATTACHMENTS = 20;
const MAX_URL = 8_000;
const MAX_TYPE = 100;
const MINUTES = { hourly: 60, daily: 1440, weekly: 10_080, monthly: 43_200, yearly: 525_600 } as const;

interface PageLink {
  href?: string;
  rel?: string;
  type?: string;
}

/**
 * Returns an absolute http or https URL; null for any other scheme, such as `javascript:`, and for a text over 8,000
 * characters.
 */
export function toHttpUrl(text: string | undefined, base: string | null): string | null {
  const url = text === undefined || text.length > MAX_URL ? null : URL.parse(text.trim(), base ?? undefined);
  return url && (url.protocol === 'http:' || url.protocol === 'https:') ? url.href : null;
}

export const toHtml = (text: string | undefined): DocumentContent | null =>
  text === undefined ? null : { text, isHtml: true };

/** The texts that may be the time of an item, best first. */
export type TimeTexts = readonly (string | undefined)[];

/** Returns the first of the texts that is a time, parsed; null when none is. */
export function firstTime(texts: TimeTexts, order?: DateOrder): Date | null {
  for (const text of texts) {
    const time = text === undefined ? null : parseFeedTime(text, order);
    if (time) return time;
  }
  return null;
}

/**
 * Returns the order in which a document writes dates such as 05/08/2024: from its unambiguous dates, or else from its language;
 * undefined when neither decides.
 */
export function documentOrder(texts: TimeTexts, language: string | undefined): DateOrder | undefined {
  for (const text of texts) {
    const order = text === undefined ? undefined : certainOrder(text);
    if (order) return order;
  }
  return language === undefined ? undefined : usualOrder(language);
}

/** Returns the address of the page among the links: not a payment, an enclosure or the feed itself. */
export function pageOf(links: readonly PageLink[] = []): string | undefined {
  const pages = links.filter(({ rel = 'alternate' }) => ALTERNATE.test(rel));
  const page = pages.find(({ type = 'text/html' }) => /html/i.test(type));
  return (page ?? pages[0])?.href;
}

export function toCategories(names: (string | undefined)[]): string[] {
  const given = names.flatMap((name) => name?.trim().slice(0, 100) || []);
  return [...new Set(given)].slice(0, MAX_CATEGORIES);
}

export function toAttachments(links: { url?: string; type?: string }[], base: string): Attachment[] {
  const found = links.flatMap(({ url: href, type = null }) => {
    const url = toHttpUrl(href, base);
    return url ? [{ url, type: type && type.slice(0, MAX_TYPE).toWellFormed() }] : [];
  });
  return found.slice(0, MAX_ATTACHMENTS);
}

/**
 * Returns the interval in minutes that the syndication module declares, as in
 * `<sy:updatePeriod>hourly</sy:updatePeriod>`; null when it declares none.
 */
export function updateMinutes(sy: SyNs.Feed<string> | undefined): number | null {
  const period = sy?.updatePeriod?.trim().toLowerCase() ?? '';
  const minutes = Object.entries(MINUTES).find(([name]) => name === period)?.[1];
  return minutes === undefined ? null : minutes / Math.max(1, sy?.updateFrequency ?? 1);
}

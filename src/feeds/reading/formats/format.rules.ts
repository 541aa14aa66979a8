import type { SyNs } from 'feedsmith';
import type { Attachment, DocumentContent, FeedDocument } from '../document.js';
import { parseFeedTime } from '../time.rules.js';

/** The part of a document that the rules of a format fill in; the parser decides whether it was complete. */
export type FormatDocument = Omit<FeedDocument, 'isComplete'>;

const MAX_CATEGORIES = 30;
const MAX_ATTACHMENTS = 20;
const MAX_URL = 8_000;
const MAX_TYPE = 100;
const MINUTES = { hourly: 60, daily: 1440, weekly: 10_080, monthly: 43_200, yearly: 525_600 } as const;

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

/** Returns the first of the texts that is a time, parsed; null when none is. */
export function firstTime(...texts: (string | undefined)[]): Date | null {
  for (const text of texts) {
    const time = text === undefined ? null : parseFeedTime(text);
    if (time) return time;
  }
  return null;
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

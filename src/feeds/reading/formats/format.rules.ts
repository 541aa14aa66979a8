import type { SyNs } from 'feedsmith';
import type { Attachment, DocumentContent, FeedDocument } from '../document.js';
import { parseFeedTime } from '../time.rules.js';

/** What each format gives; whether it was whole is not for the format to say. */
export type FormatDocument = Omit<FeedDocument, 'isComplete'>;

const MAX_CATEGORIES = 30;
const MAX_ATTACHMENTS = 20;
const MAX_URL = 8_000;
const MAX_TYPE = 100;
const MINUTES = { hourly: 60, daily: 1440, weekly: 10_080, monthly: 43_200, yearly: 525_600 } as const;

/** An absolute http or https URL, of what is no longer than browsers take; null for everything else, `javascript:` included. */
export function toHttpUrl(text: string | undefined, base: string | null): string | null {
  const url = text === undefined || text.length > MAX_URL ? null : URL.parse(text.trim(), base ?? undefined);
  return url && (url.protocol === 'http:' || url.protocol === 'https:') ? url.href : null;
}

export const toHtml = (text: string | undefined): DocumentContent | null =>
  text === undefined ? null : { text, isHtml: true };

/** The first of these texts that is a time. */
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

/** How often, by the syndication module: `<sy:updatePeriod>hourly</sy:updatePeriod>`. */
export function updateMinutes(sy: SyNs.Feed<string> | undefined): number | null {
  const period = sy?.updatePeriod?.trim().toLowerCase() ?? '';
  const minutes = Object.entries(MINUTES).find(([name]) => name === period)?.[1];
  return minutes === undefined ? null : minutes / Math.max(1, sy?.updateFrequency ?? 1);
}
